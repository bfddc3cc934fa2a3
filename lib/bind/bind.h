/*
 * bind - assigns the input files to processes and mappings, and names the code at an address.
 *
 * A perf map or jitdump belongs to a process if it covers the addresses sampled in the process's
 * JIT code.  A ReadyToRun image or its map belongs to a mapping if it agrees with the signature or
 * MVID, with the length of the mapping and with the sampled return addresses.  An ELF file is
 * identified by its build-id, or by path and segment.  The caller first passes each distinct frame
 * to bind_note.  Then bind_decide chooses the files, and bind_find names addresses.
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
	const struct perfmap *map; /* one of map and dump is NULL */
	const struct jitdump *dump;
	size_t covered, of; /* the map names `covered` of `of` distinct JIT addresses */
	bool forced;        /* assigned by -p */
	bool by_time;       /* the dump uses the clock of the profile */
	uint32_t next;      /* index + 1 of the process's next map, or 0 */
};

/* A ReadyToRun image, or a map of crossgen, that names a mapping's code. */
struct bound_image {
	const struct mapping *m;
	struct item *image; /* the image itself, or NULL if there is only a map */
	struct item *item;  /* the map of crossgen, or NULL if there is only the image */
	const struct perfmap *map;
	const struct pe *pe; /* NULL if base is known without the image */
	uint64_t file_base; /* file offset at which the image begins in the mapped file */
	uint64_t base;      /* run-time address of RVA 0 */
	bool offsets;       /* the addresses in the map are file offsets, not RVAs */
	bool beside; /* verified because another image of its framework was verified */
	bool mapped; /* a file of this machine that was mapped during the recording */
	struct str whole; /* name of all code if its methods are unknown, else empty */
};

/* An image that is not used, although it has the name of a mapped image. */
struct refused_image {
	struct item *item; /* NULL if no image was refused */
	const char *why;
	bool is_it; /* item is the mapped image, but the file is damaged */
};

struct binder;
struct binder *bind_new(struct locator *l, struct arena *run, struct diag *diag);

/* Writes to the cache the tables that were read.  The input files must still be open. */
void bind_close(struct binder *b);

/* Sets how native names are demangled.  Call it before the first bind_find. */
void bind_spell(struct binder *b, enum demangling how);
/* Binds map to process pid without evidence, for -p PID=MAP. */
void bind_force(struct binder *b, int32_t pid, struct item *map);
/* Records that process pid has the pid nspid in its innermost namespace. */
void bind_namespace_pid(struct binder *b, int32_t pid, int32_t nspid);

/* Sets *out to the addresses in the current mappings of pid that bind_note uses. */
void bind_needs(struct binder *b, const struct processes *ps, int32_t pid,
                struct needed *out);
/* Notes a frame of the profile.  jit: ip is in code made at run time, and m may be NULL. */
void bind_note(struct binder *b, const struct mapping *m, int32_t pid, uint64_t ip,
               bool caller, bool jit);
/* Returns the distinct noted addresses (bind/sampled.h). */
const struct sampled *bind_sampled(const struct binder *b);

/*
 * Chooses the files that name the noted frames and the mappings in ps.  If `all` is set, also
 * chooses images for mappings without frames.  If no address was noted (pmerge), a perf map belongs
 * to a process if the map's code is in executable memory.
 */
void bind_decide(struct binder *b, struct processes *ps, bool all);

/* Call it if the profile uses CLOCK_MONOTONIC, the clock of jitdumps. */
void bind_clock_agrees(struct binder *b);

struct bind_query {
	const struct mapping *m; /* NULL if no mapping contains ip */
	int32_t pid;
	uint64_t ip;
	bool caller;      /* ip is a return address, so look up ip-1 */
	bool inlined;     /* inlined functions will be requested from bind_places */
	uint64_t time_ns; /* UINT64_MAX, the end of the profile, if unknown */
};

struct bound_name {
	struct str func;
	uint64_t off;
	bool jit;     /* the name is from a perf map or jitdump */
	bool guessed; /* the last of several names, because the time is unknown */
	bool native;  /* the name is from an ELF file, so bind_places may find more */
	const struct jitdump *dump; /* the jitdump that gave the name, or NULL */
	size_t code;                /* index of the code in `dump` */
	const struct item *by;      /* file that gave the name.  NULL: the profile */
	enum verified how;          /* the evidence for `by` */
	uint64_t before, after;     /* bytes around the address with the same name */
};

/* Find the name and offset of an address.  bind_find_kernel uses no perf maps. */
bool bind_find(const struct binder *b, const struct bind_query *q,
               struct bound_name *out);
bool bind_find_kernel(const struct binder *b, const struct mapping *m, uint64_t ip,
                      struct bound_name *out);

/* Returns true if the address held several pieces of code in turn, and their times are known. */
bool bind_varies(const struct binder *b, const struct bind_query *q);
/*
 * Returns core, the kernel's mapping, if ip is after it and the kernel's symbols name ip, else
 * NULL.  Code that runs once at boot is outside of this mapping, but has symbols.
 */
const struct mapping *bind_find_beyond_kernel(const struct binder *b,
                                              const struct mapping *core, uint64_t ip);
/* Returns the end of the interrupt entry code in `core`, or 0.  Sets *start to its start. */
uint64_t bind_irq_entry(const struct binder *b, const struct mapping *core,
                        uint64_t *start);

/* Returns true if an ELF file has inlined functions or lines of m.  Does not read symbols. */
bool bind_has_places(const struct binder *b, const struct mapping *m);
/* Reads the DWARF at q, without a result.  Without `all`, may skip a file that was visited. */
void bind_visit_places(const struct binder *b, const struct bind_query *q, bool all);

/*
 * Finds the lines of q after bind_find named q.  Returns their number.  ELF files give a line for
 * each inlined function, innermost first, and for the function.  Other files give one line.
 */
size_t bind_places(const struct binder *b, const struct bind_query *q,
                   const struct bound_name *name, struct dwarf_place *out, size_t max);

/* Returns the ELF files for m, or NULL if no name in m was looked up.  m may be the kernel. */
const struct native_files *bind_files(const struct binder *b, const struct mapping *m);

/* Return the .NET image bound to m, and the image refused for m.  Either may be NULL. */
const struct bound_image *bind_image(const struct binder *b, const struct mapping *m);
const struct refused_image *bind_refused(const struct binder *b, const struct mapping *m);
size_t bind_maps(const struct binder *b, const struct bound_map **out);
/* Returns the PDBs that bind_places has searched for. */
const struct managed_lines *bind_pdbs(const struct binder *b);

/* Reports ELF files that were not used, and files that were verified only by name. */
void bind_report(const struct binder *b);

#endif
