/*
 * bind - which source names which code, shown before anything is named.
 *
 * A perf map or jitdump belongs to a process when it covers the addresses that were
 * sampled in the process's JIT code; a ReadyToRun image, and a map of it, belong to a mapping
 * when signature or MVID, the mapping's length and the return addresses found in it
 * agree.  First every distinct frame is noted, then bind_decide chooses and says
 * what it chose, then bind_find answers.  ELF files need no frames to show that they
 * belong (build-id, else path and segment): they are looked for by bind_find.
 */
#ifndef BIND_BIND_H
#define BIND_BIND_H

#include "image/dwarf/dwarf.h"
#include "image/locate.h"
#include "process/process.h"
#include "bind/native/demangle.h"
#include "bind/verified.h"

/* -p PID=MAP, the map already located. */
struct forced_map {
	int32_t pid;
	struct item *item;
};

/* A perf map or jitdump that names a process's code. */
struct bound_map {
	int32_t pid;
	struct item *item;
	const struct perfmap *map; /* one of these two */
	const struct jitdump *dump;
	size_t covered, of; /* distinct JIT addresses of the process */
	bool forced;        /* by -p */
	bool by_time;       /* the dump's clock is the profile's */
	uint32_t next;      /* of the same process; index + 1 */
};

/* A ReadyToRun image, or a relative map, that names a mapping's code. */
struct bound_image {
	const struct mapping *m;
	struct item *image; /* the image itself; NULL when there is only a map */
	struct item *item;  /* the relative map; NULL when there is only the image */
	const struct perfmap *map;
	const struct pe *pe; /* its sections; NULL: base is known instead */
	uint64_t file_base;  /* of rva's file: where the image begins in what is mapped */
	uint64_t base;       /* run-time address of rva 0 */
	bool offsets;        /* map is in offsets in the file, not in RVAs */
	bool beside;         /* others of its framework were shown, itself hardly */
	struct str whole;    /* what its code is called if nothing tells more; or empty */
};

/* False: no section of the image holds that byte. */
bool bound_rva(const struct bound_image *im, uint64_t ip, uint64_t *rva);
bool bound_ip(const struct bound_image *im, uint64_t rva, uint64_t *ip);

struct binder;

struct binder *bind_new(struct locator *l, struct arena *run, struct diag *diag);

/* Keeps what was read of files for the next run, while their sources are open. */
void bind_close(struct binder *b);

/* How names of native code are spelled, from the first one on. */
void bind_spell(struct binder *b, enum demangling how);

void bind_force(struct binder *b, int32_t pid, struct item *map);

/* The innermost namespace's pid of a process, from a saved status. */
void bind_namespace_pid(struct binder *b, int32_t pid, int32_t nspid);

/*
 * A frame of the profile; a call with one seen before changes nothing.  jit: it lies
 * in code made at run time, even where m is NULL (text without mappings).
 */
void bind_note(struct binder *b, const struct mapping *m, int32_t pid, uint64_t ip,
               bool caller, bool jit);

/* Distinct addresses noted that only a map could name. */
size_t bind_noted(const struct binder *b);

/*
 * Chooses, ps holding all mappings.  all: also images that no frame lies in.  Without any
 * noted address (pmerge) a perf map belongs when its code lies in executable memory.
 */
void bind_decide(struct binder *b, struct processes *ps, bool all);

/* The profile's times are of CLOCK_MONOTONIC, as those of jitdumps are. */
void bind_clock_agrees(struct binder *b);

/* A frame, and when it was met: UINT64_MAX, the end, when that is not known. */
struct bind_query {
	const struct mapping *m; /* NULL: in none */
	int32_t pid;
	uint64_t ip;
	bool caller;  /* look at ip-1 */
	bool inlined; /* functions compiled into others are wanted */
	uint64_t time_ns;
};

/* Name and offset there.  False: nothing names it. */
struct bound_name {
	struct str func;
	uint64_t off;
	bool jit;                   /* from a perf map or jitdump */
	bool native;                /* from an ELF file: bind_places may tell more */
	const struct jitdump *dump; /* likewise from a jitdump; else NULL */
	size_t code;                /* of dump: the piece it is */
	const struct item *by;      /* the file that says it; NULL: the profile does */
	enum verified how;          /* what shows that it belongs here */
};
bool bind_find(struct binder *b, const struct bind_query *q, struct bound_name *out);

/* Several pieces of code lay there, one after the other, and times tell which. */
bool bind_varies(const struct binder *b, const struct bind_query *q);

/* The number of the one that is meant; 0: none. */
uint32_t bind_generation(const struct binder *b, const struct bind_query *q);

/* What pid has at ip when all is read, or NULL. */
const struct mapping *bind_mapping(const struct binder *b, int32_t pid, uint64_t ip);

/*
 * The recorded kernel ends with its text; what is behind (code that ran only once, at
 * boot) is known to its symbols.  core, or NULL.
 */
const struct mapping *bind_beyond_kernel(struct binder *b, const struct mapping *core,
                                         uint64_t ip);

/*
 * After bind_find has named it by an ELF file: what was compiled into the function
 * there, innermost first, then the function itself, as image/dwarf/dwarf.h has it; names are
 * those that are printed.  By a jitdump: the function alone.  0: nothing is known.
 */
size_t bind_places(struct binder *b, const struct bind_query *q,
                   const struct bound_name *name, struct dwarf_place *out, size_t max);

/* Says which ELF files were not used, or were taken by their names alone. */
void bind_report_native(const struct binder *b);

/* The methods of a bound image, read when first asked for; NULL: its map names it. */
struct r2r *bind_methods(const struct binder *b, const struct bound_image *im);

/* One of them by its name; lives in a, or in the map. */
struct str bind_method_name(const struct bound_image *im, struct r2r *r, size_t index,
                            struct arena *a);

size_t bind_maps(const struct binder *b, const struct bound_map **out);
size_t bind_images(const struct binder *b, const struct bound_image **out);

#endif
