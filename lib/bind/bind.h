/*
 * bind - binds sources to processes and mappings, and answers (mapping, ip) -> name.
 *
 * A perf map or jitdump belongs to a process if it covers the addresses sampled in the process's
 * JIT code.  A ReadyToRun image, or a map of one, belongs to a mapping if signature or MVID, the
 * length of the mapping and the sampled return addresses agree. So bind_note gets every distinct
 * frame first, bind_decide then chooses and reports its choice, and bind_find answers.  An ELF
 * file needs no frames: its build-id, or path and segment, are compared when bind_find first asks
 * for the mapping.
 */
#ifndef BIND_BIND_H
#define BIND_BIND_H

#include "bind/native/demangle.h"
#include "bind/native/native_files.h"
#include "bind/verified.h"
#include "image/dwarf/dwarf.h"
#include "image/locate.h"

/* A perf map or jitdump that names a process's code. */
struct bound_map {
	int32_t pid;
	struct item *item;
	const struct perfmap *map; /* either the map or the dump is set */
	const struct jitdump *dump;
	size_t covered, of; /* distinct JIT addresses of the process */
	bool forced;        /* by -p */
	bool by_time;       /* the dump's clock is the profile's */
	uint32_t next;      /* of the same process: index + 1 */
};

/* A ReadyToRun image, or a relative map, that names a mapping's code. */
struct bound_image {
	const struct mapping *m;
	struct item *image; /* the image itself, or NULL if there is only a map */
	struct item *item;  /* the relative map, or NULL if there is only the image */
	const struct perfmap *map;
	const struct pe *pe; /* its sections, or NULL if base is known instead */
	uint64_t file_base; /* file offset at which the image begins in the mapped file */
	uint64_t base;      /* run-time address of rva 0 */
	bool offsets;       /* the map has offsets in the file, not RVAs */
	bool beside;        /* verified by others of its framework, not by itself */
	bool mapped;        /* it is the file of this machine that was mapped */
	struct str whole;   /* name of all its code if methods are unknown, or empty */
};

/* An image that has the name of a mapped one, and is not used. */
struct refused_image {
	struct item *item; /* NULL if no image was refused */
	const char *why;
	bool is_it; /* it is the mapped image, but damaged */
};

struct binder;
struct binder *bind_new(struct locator *l, struct arena *run, struct diag *diag);

/* Writes the tables that were read to the cache.  Their sources are still open. */
void bind_close(struct binder *b);

/* Sets the spelling of native names.  Call it before the first bind_find. */
void bind_spell(struct binder *b, enum demangling how);

/* -p PID=MAP: map names the code of pid, whatever it covers. */
void bind_force(struct binder *b, int32_t pid, struct item *map);

/* The innermost namespace's pid of a process, from a saved status. */
void bind_namespace_pid(struct binder *b, int32_t pid, int32_t nspid);

/* Notes a frame of the profile.  jit: it is in code made at run time, even if m is NULL (text). */
void bind_note(struct binder *b, const struct mapping *m, int32_t pid, uint64_t ip,
               bool caller, bool jit);

/* Distinct addresses noted that only a map could name. */
size_t bind_noted(const struct binder *b);

/*
 * Chooses, with all mappings in ps.  all: also images without frames.  If no address was noted
 * (pmerge), a perf map belongs to a process if its code is in executable memory.
 */
void bind_decide(struct binder *b, struct processes *ps, bool all);

/* The profile's times are from CLOCK_MONOTONIC, like the times in jitdumps. */
void bind_clock_agrees(struct binder *b);

struct bind_query {
	const struct mapping *m; /* or NULL */
	int32_t pid;
	uint64_t ip;
	bool caller;      /* look at ip-1 */
	bool inlined;     /* functions compiled into others are wanted */
	uint64_t time_ns; /* UINT64_MAX, the end of the profile, when it is unknown */
};

struct bound_name {
	struct str func;
	uint64_t off;
	bool jit;     /* from a perf map or jitdump */
	bool guessed; /* the last of several names in turn, and no time decides which */
	bool native;  /* from an ELF file: bind_places may know more */
	const struct jitdump *dump; /* set for a jitdump, with bind_places too, or NULL */
	size_t code;                /* of dump: the number of the piece of code */
	const struct item *by;      /* the file with the name, or NULL for the profile */
	enum verified how;          /* the evidence for that file */
	uint64_t before, after;     /* bytes around the address with the same answer */
};

/* Finds name and offset.  Returns false if no source names the address. */
bool bind_find(struct binder *b, const struct bind_query *q, struct bound_name *out);

/* The same in a mapping of the kernel, with no perf map asked. */
bool bind_find_kernel(struct binder *b, const struct mapping *m, uint64_t ip,
                      struct bound_name *out);

/* Returns true if several pieces of code had the address in turn, and times select one. */
bool bind_varies(const struct binder *b, const struct bind_query *q);

/*
 * The recorded kernel mapping ends with its text, but code after it, which ran once at boot, has
 * symbols too. Returns core if they name ip, else NULL.  core may be NULL.
 */
const struct mapping *bind_beyond_kernel(struct binder *b, const struct mapping *core,
                                         uint64_t ip);

/* Returns the end of the code of core that interrupts enter, and sets *start, or returns 0. */
uint64_t bind_irq_entry(struct binder *b, const struct mapping *core, uint64_t *start);

/*
 * Returns true if an ELF file has inlined functions or lines of m.  Does not read symbols.
 */
bool bind_has_places(struct binder *b, const struct mapping *m);

/*
 * Call it after bind_find named q.  By an ELF file: returns inlined functions, innermost first,
 * then the function itself, with printed names.  By a jitdump: returns one place.  0 if unknown.
 */
size_t bind_places(struct binder *b, const struct bind_query *q,
                   const struct bound_name *name, struct dwarf_place *out, size_t max);

/* Returns the ELF files for m, including the kernel, or NULL if no name in m was looked up. */
const struct native_files *bind_files(const struct binder *b, const struct mapping *m);

/* Return the .NET image bound to m, and the one refused for it, or NULL. */
const struct bound_image *bind_image(const struct binder *b, const struct mapping *m);
const struct refused_image *bind_refused(const struct binder *b, const struct mapping *m);
size_t bind_maps(const struct binder *b, const struct bound_map **out);

/* Reports ELF files that were not used, or were taken by their names alone. */
void bind_report(const struct binder *b);

#endif
