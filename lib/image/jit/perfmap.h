/*
 * perfmap - text maps that name code: perf-PID.map, crossgen's .map and .r2rmap.
 *
 * All three consist of lines START SIZE NAME, with hexadecimal numbers.  In a perf map,
 * START is a run-time address.  In the maps of crossgen and crossgen2 it is an RVA, and
 * the file identifies its image: crossgen by the MVID in the file name, crossgen2 by a
 * signature in the first line.
 *
 * Sources: tools/perf/Documentation/jit-interface.txt, and dotnet/runtime
 * docs/design/coreclr/botr/r2r-perfmap-format.md.
 */
#ifndef IMAGE_JIT_PERFMAP_H
#define IMAGE_JIT_PERFMAP_H

#include "image/symtab.h"

enum { MVID_BYTES = 16, GUID_TEXT = 36 };

struct clr_lines;
struct jit_code;
struct jit_index;

/*
 * Code with known times, made from a nettrace if several methods used one address in
 * turn.
 */
struct perfmap_times {
	const struct jit_code *code; /* by time */
	const struct str *name;
	size_t n;
	const struct jit_index *index;
};

struct perfmap {
	/* by ip, or by RVA if `relative` is set.  Names point into the bytes */
	struct symtab symbols;
	/* addresses with several names, except for stubs */
	struct symtab shared;
	bool relative;
	/* times of the code, or NULL if they are unknown */
	const struct perfmap_times *times;
	bool whole; /* made from a nettrace, so it also names files and the kernel */
	const struct clr_lines
	        *lines;     /* of a nettrace: image/dotnet/clr_lines.h; or NULL */
	bool has_signature; /* crossgen2 */
	unsigned char signature[16];
	uint32_t target[3]; /* crossgen2: numbers of system, machine and ABI */
	bool has_mvid;      /* crossgen: the file name contains the MVID */
	unsigned char mvid[MVID_BYTES]; /* bytes in the order of the image's #GUID heap */
	/* number of malformed or overwritten lines, except for a truncated last line */
	size_t bad_lines;
	size_t bad_line; /* line number of the first malformed line */
	size_t inside;   /* whole lines that were found inside of malformed ones */
};

/* Returns true if the first bytes are lines of a perf map, .map or .r2rmap. */
bool perfmap_bid(struct str head);

/* Reads a map.  name: name of the file.  bytes must live as long as the map. */
void perfmap_read(struct perfmap *pm, struct str name, struct str bytes, struct arena *a);

/*
 * Adds the times of the code to a map.  code: n pieces, sorted by time.  name[i] is the
 * name of code[i].  Both arrays must live as long as the map.
 */
void perfmap_set_times(struct perfmap *pm, const struct jit_code *code,
                       const struct str *name, size_t n, struct arena *a);

/*
 * Finds the code at ip and sets its index in `times`: the latest that began by time_ns,
 * else the first that began later.  Returns false if there is no code at ip, or if the
 * map has no times.
 */
bool perfmap_find(const struct perfmap *pm, uint64_t ip, uint64_t time_ns, size_t *out);

/*
 * Replaces *i by the last code in `times` at ip that was made before it.  Returns false
 * if there is no such code.
 */
bool perfmap_earlier(const struct perfmap *pm, uint64_t ip, size_t *i);

/*
 * Returns true if runtimes use this name for their own stubs.  Runtimes list a block of
 * stubs and also each stub in it.  These lines overlap although no address was used
 * again.
 */
bool perfmap_is_stub(struct str name);

/*
 * Returns the pid in the last part of a path: "perf-7679.map" -> 7679.  Returns -1 for
 * other names.
 */
int32_t perfmap_pid(struct str name);

/*
 * Returns the image in the name of a map: "System.Linq.ni.{..}.map" -> "System.Linq",
 * "calc10.ni.r2rmap" -> "calc10".  Returns an empty string for other names.
 */
struct str perfmap_image(struct str name);

/*
 * Returns true if crossgen2 made the map for the image with that MVID.  The signature is
 * a hash of the MVID and the target.
 */
bool perfmap_signed_for(const struct perfmap *pm, const unsigned char mvid[MVID_BYTES]);

/*
 * Computes the signature of a crossgen2 map.  target: numbers of system, machine and ABI.
 */
void perfmap_sign(const unsigned char mvid[MVID_BYTES], const uint32_t target[3],
                  unsigned char out[16]);

/*
 * Converts "{1f33821d-...}", with or without braces, to bytes in the order of the #GUID
 * heap.
 */
bool perfmap_guid(struct str text, unsigned char out[MVID_BYTES]);

/* Converts an MVID to text in lower case, without braces, NUL terminated. */
void perfmap_guid_text(const unsigned char mvid[MVID_BYTES], char out[GUID_TEXT + 1]);

#endif
