/*
 * binder - the state behind bind/bind.h; private to symbol/.
 */
#ifndef BIND_BINDER_H
#define BIND_BINDER_H

#include "base/table.h"
#include "bind/bind.h"
#include "bind/native/natives.h"
#include "bind/refused.h"

/* A distinct sampled address. */
struct noted {
	const struct mapping *m; /* NULL: in no mapping */
	int32_t pid;             /* whose code it is: who mapped it */
	uint64_t ip;
	bool caller;
	uint32_t next; /* of the same mapping, JIT code: process; index + 1 */
};

/* Where a perfinfo says an image was loaded. */
struct noted_load {
	struct image_load load;
	uint32_t next; /* of the same path; index + 1 */
};

/* A kallsyms, and how distinct kernel frames of a text fit it. */
struct heard_kernel {
	struct item *item;
	size_t agree, differ; /* of those that have names */
	size_t outside;       /* without one, and not in its kernel's text */
};

struct binder {
	struct locator *locator;
	struct processes *ps;
	struct arena *run;
	struct diag *diag;
	struct table seen; /* (mapping, ip and caller) */
	struct noted *jit; /* in JIT memory: what a perf map must cover */
	size_t njit, jit_cap;
	struct noted *code; /* in mapped images: what a wrong image fails on */
	size_t ncode, code_cap;
	struct table code_of; /* mapping id -> index of its last noted code + 1 */
	struct table njit_of; /* pid -> addresses noted */
	struct table jit_of;  /* pid -> index of its last noted JIT code + 1 */
	struct forced_map *forced;
	size_t nforced, forced_cap;
	struct table ns; /* pid -> its pid in the innermost namespace + 1 */
	struct bound_map *map;
	size_t nmaps, maps_cap;
	struct table map_of; /* pid -> index of its first map + 1 */
	bool monotonic;      /* see bind_clock_agrees */
	struct bound_image *image;
	size_t nimages, images_cap;
	struct table image_of; /* mapping id -> index of image + 1 */
	struct table later;    /* mapping id -> 1: bind_place_late has not been asked */
	struct refused_image *refused;
	size_t nrefused, refused_cap;
	struct table refused_of; /* mapping id -> index of refused + 1 */
	struct table name_of;    /* (image, method) -> index of name + 1 */
	struct str *name;        /* of the methods of images */
	size_t nnames, names_cap;
	struct table stems;      /* of the images that relative maps are about -> 1.. */
	struct noted_load *load; /* of every perfinfo */
	size_t nloads, loads_cap;
	bool learned;         /* stems and loads are known */
	struct table load_of; /* path -> index of its last load + 1 */
	struct natives natives;
	struct injections *injections; /* bind/jitted_so.h */
	struct item **program;         /* that may carry images */
	size_t nprograms, programs_cap;
	struct host *host;
	size_t nhosts, hosts_cap;
	struct kernel kernel;
	struct heard_kernel *heard; /* bind/native/textkernel.h */
	size_t nheard, heard_cap;
	struct table heard_at; /* address -> 1 */
	bool listed;
	const struct heard_kernel *kernel_text; /* the one that was chosen; or NULL */
	enum demangling demangling;
	struct respeller *respellers; /* bind/dotnet/r2rmap_names.h: the newest */
};

/* A single-file program, and a process that runs it. */
struct host {
	struct item *item;
	int32_t pid;
	struct host_code *code; /* by entry; NULL until asked for */
	size_t found;           /* images found in anonymous memory */
};

/* Notes that im names its mapping. */
void bind_add_image(struct binder *b, const struct bound_image *im);

/* image lies in the framework of which another image is what ran: so m may be of it. */
bool bind_is_beside(const struct binder *b, const struct mapping *m, struct item *image);

/*
 * The images that single-file programs carry, where they are mapped or, having been
 * compressed, were copied to.
 */
void bind_place_carried(struct binder *b);

/* Images in anonymous memory whose code a jitdump has. */
void bind_place_copied(struct binder *b);

/*
 * Neighbours in such a program's file share pages, and so both mappings hold them: the
 * image that ip, by its offset in the file, is really in.  False: im itself, or none.
 */
bool bind_neighbour(struct binder *b, const struct bound_image *im, uint64_t ip,
                    struct bound_image *out);

/* NULL: no image was refused for m. */
const struct refused_image *bind_refused_image(const struct binder *b,
                                               const struct mapping *m);

/* The next image of that file name, from *at on, that a program carries; NULL: none. */
struct item *bind_next_carried(struct binder *b, struct str file, size_t *at);

/* Finds the images of mappings that frames lie in, or of all; says what was not placed. */
void bind_place_images(struct binder *b, bool all);

/* The image of one of the others. */
void bind_place_late(struct binder *b, const struct mapping *m);

/* Addresses of one process that are noted to choose maps by. */
enum { JIT_NOTED = 1 << 14 };

/* Where a frame is looked up. */
static inline uint64_t bind_look(uint64_t ip, bool caller)
{
	return caller ? ip - 1 : ip;
}

/* Where only return addresses can show which file it is. */
enum {
	BIND_FEWEST_CALLS = 8, /* distinct ones */
	BIND_ALL_CALLS = 90, /* percent of them that follow calls: right files have all */
};

enum { SAME_NAME = 256 }; /* files, or loads, of one name that are looked at */

#endif
