/*
 * bind - assigns the sources to processes and mappings, and then names the code at an address.
 *
 * A perf map or jitdump belongs to a process if it covers the addresses sampled in the process's
 * JIT code.  A ReadyToRun image, or a map of one, belongs to a mapping if signature or MVID, the
 * length of the mapping and the sampled return addresses agree.  So bind_note gets every
 * distinct frame first, bind_decide then chooses and reports its choice, and bind_find names
 * addresses. An ELF file needs no frames: bind_find compares its build-id, or path and segment.
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
	size_t covered, of; /* it names `covered` of `of` distinct JIT addresses */
	bool forced;        /* by -p */
	bool by_time;       /* the dump has the clock of the profile */
	uint32_t next;      /* index + 1 of the next map of the process, or 0 */
};

/* A ReadyToRun image, or a relative map, that names a mapping's code. */
struct bound_image {
	const struct mapping *m;
	struct item *image; /* the image itself, or NULL if there is only a map */
	struct item *item;  /* the relative map, or NULL if there is only the image */
	const struct perfmap *map;
	const struct pe *pe; /* the image's sections, or NULL if base is known instead */
	uint64_t file_base; /* file offset at which the image begins in the mapped file */
	uint64_t base;      /* run-time address of rva 0 */
	bool offsets;       /* the addresses in the map are file offsets, not RVAs */
	bool beside;        /* verified by other images of its framework, not by itself */
	bool mapped;        /* the image is the file that was mapped, on this machine */
	struct str whole;   /* name of all code if methods are unknown, else empty */
};

/* An image that has the name of a mapped one, but is not used. */
struct refused_image {
	struct item *item; /* NULL if no image was refused */
	const char *why;
	bool is_it; /* item is the mapped image, but it is damaged */
};

struct binder;
struct binder *bind_new(struct locator *l, struct arena *run, struct diag *diag);

/* Writes the tables that were read to the cache.  The sources must still be open. */
void bind_close(struct binder *b);

/* Sets the spelling of native names.  Call it before the first bind_find. */
void bind_spell(struct binder *b, enum demangling how);

/* Sets that map names the code of pid, whatever it covers, for -p PID=MAP. */
void bind_force(struct binder *b, int32_t pid, struct item *map);

/* Sets the pid of process pid in its innermost namespace, from a saved status. */
void bind_namespace_pid(struct binder *b, int32_t pid, int32_t nspid);

/* Notes a frame of the profile.  jit: its code was made at run time, and m may be NULL. */
void bind_note(struct binder *b, const struct mapping *m, int32_t pid, uint64_t ip,
               bool caller, bool jit);

/* Returns the number of distinct noted addresses that only a perf map or jitdump could name. */
size_t bind_noted(const struct binder *b);

/*
 * Chooses sources for the noted frames and the mappings in ps.  all: also chooses images without
 * frames.  If no address was noted (pmerge), a perf map belongs to a process if its code is in
 * executable memory.
 */
void bind_decide(struct binder *b, struct processes *ps, bool all);

/* Call it if the profile's times are from CLOCK_MONOTONIC, like the times in jitdumps. */
void bind_clock_agrees(struct binder *b);

struct bind_query {
	const struct mapping *m; /* NULL if no mapping contains ip */
	int32_t pid;
	uint64_t ip;
	bool caller;      /* ip is a return address: look at ip-1 */
	bool inlined;     /* bind_places will be asked for inlined functions */
	uint64_t time_ns; /* UINT64_MAX, the end of the profile, if the time is unknown */
};

struct bound_name {
	struct str func;
	uint64_t off;
	bool jit;     /* from a perf map or jitdump */
	bool guessed; /* the last of several names in turn, because no time decides */
	bool native;  /* from an ELF file: bind_places may find more */
	const struct jitdump *dump; /* the jitdump with the name, or NULL */
	size_t code;                /* number of the piece of code in `dump` */
	const struct item *by;      /* file with the name; NULL: the profile */
	enum verified how;          /* the evidence for `by` */
	uint64_t before, after;     /* bytes around the address that have the same name */
};

/* Finds the name of an address and the offset in it.  Returns false if no source names it. */
bool bind_find(struct binder *b, const struct bind_query *q, struct bound_name *out);

/* Finds the name of an address of the kernel and the offset in it, without perf maps. */
bool bind_find_kernel(struct binder *b, const struct mapping *m, uint64_t ip,
                      struct bound_name *out);

/* Returns true if several pieces of code were at the address in turn, and times select one. */
bool bind_varies(const struct binder *b, const struct bind_query *q);
/*
 * Returns core if its symbols name ip, else NULL.  core may be NULL.  The mapping of the kernel
 * ends with its text, but code that ran once at boot follows, and has symbols too.
 */
const struct mapping *bind_find_beyond_kernel(struct binder *b,
                                              const struct mapping *core, uint64_t ip);
/* Returns the end of the code of core that interrupts enter, or 0, and sets *start. */
uint64_t bind_irq_entry(struct binder *b, const struct mapping *core, uint64_t *start);

/* Returns true if an ELF file has inlined functions or lines of m.  Does not read symbols. */
bool bind_has_places(struct binder *b, const struct mapping *m);
/* Looks up q as bind_places does, if its unit may be in another file or `all` is set. */
void bind_visit_places(struct binder *b, const struct bind_query *q, bool all);

/*
 * Finds the source lines of q, after bind_find named it.  Returns their number, or 0.  An ELF
 * file gives the inlined functions, innermost first, then the function.  Others give one line.
 */
size_t bind_places(struct binder *b, const struct bind_query *q,
                   const struct bound_name *name, struct dwarf_place *out, size_t max);

/* Returns the ELF files for m, including the kernel, or NULL if no name in m was looked up. */
const struct native_files *bind_files(const struct binder *b, const struct mapping *m);

/* Return the .NET image bound to m, and the one refused for m.  Either may be NULL. */
const struct bound_image *bind_image(const struct binder *b, const struct mapping *m);
const struct refused_image *bind_refused(const struct binder *b, const struct mapping *m);
size_t bind_maps(const struct binder *b, const struct bound_map **out);
/* Returns the PDBs that bind_places looked for. */
const struct managed_lines *bind_pdbs(const struct binder *b);

/* Reports ELF files that were not used, and those that were used only because of their names. */
void bind_report(const struct binder *b);

#endif
