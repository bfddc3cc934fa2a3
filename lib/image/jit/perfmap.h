/*
 * perfmap - text maps that name code: perf-PID.map, crossgen's .map and .r2rmap.
 *
 * All three consist of lines START SIZE NAME in hex.  In a perf map START is a run-time address.
 * In the maps of crossgen and crossgen2 it is an RVA, and the file identifies its image: for
 * crossgen by the MVID in its name, for crossgen2 by a signature in its first line.
 *
 * Sources: tools/perf/Documentation/jit-interface.txt, and dotnet/runtime
 * docs/design/coreclr/botr/r2r-perfmap-format.md.
 */
#ifndef IMAGE_JIT_PERFMAP_H
#define IMAGE_JIT_PERFMAP_H

#include "image/symtab.h"

enum { MVID_BYTES = 16, GUID_TEXT = 36 };

struct jit_code;
struct jit_index;

/* Code with known times, from a nettrace whose methods had the same addresses in turn. */
struct perfmap_times {
	const struct jit_code *code; /* by time */
	const struct str *name;
	size_t n;
	const struct jit_index *index;
};

struct perfmap {
	struct symtab symbols; /* ip, or rva if relative.  Names point into bytes */
	/* addresses with several names in turn, except for stubs */
	struct symtab shared;
	bool relative;
	const struct perfmap_times *times; /* NULL: of no address is the time known */
	bool whole;         /* made of a nettrace: names files and the kernel, too */
	bool has_signature; /* crossgen2 */
	unsigned char signature[16];
	uint32_t target[3]; /* crossgen2: numbers of system, machine and ABI */
	bool has_mvid;      /* crossgen: from the file's name */
	unsigned char mvid[MVID_BYTES]; /* as stored in the image's #GUID heap */
	/* lines with another format, or overwritten, except for a truncated last line */
	size_t bad_lines;
	size_t bad_line; /* the number of the first */
	size_t inside;   /* whole lines that begin inside of them, and were read */
};

/* Returns true if the first bytes are lines of such a map. */
bool perfmap_bid(struct str head);

/* name is the name of the file.  bytes must live as long as the map. */
void perfmap_read(struct perfmap *pm, struct str name, struct str bytes, struct arena *a);

/*
 * Gives the map the times of its code: n pieces by time, of which piece i is called name[i].
 * Both arrays must live as long as the map.
 */
void perfmap_set_times(struct perfmap *pm, const struct jit_code *code,
                       const struct str *name, size_t n, struct arena *a);

/*
 * Finds the code at ip and sets its index in times: the latest that began by time_ns, else the
 * first that began.  Returns false if there is no code, or if the map has no times.
 */
bool perfmap_find(const struct perfmap *pm, uint64_t ip, uint64_t time_ns, size_t *out);

/*
 * Replaces *i by the last code in times at ip that was made before it.  Returns false if there is
 * no such code.
 */
bool perfmap_earlier(const struct perfmap *pm, uint64_t ip, size_t *i);

/*
 * Returns true if runtimes use this name for their own stubs.  Runtimes list a block of stubs as
 * a whole and the stubs in it, so that their lines overlap without any reuse.
 */
bool perfmap_is_stub(struct str name);

/* "perf-7679.map" -> 7679, -1 for other names.  Only the last part of name is used. */
int32_t perfmap_pid(struct str name);

/* "System.Linq.ni.{..}.map", "calc10.ni.r2rmap" -> "calc10".  Empty for other names. */
struct str perfmap_image(struct str name);

/*
 * Returns true if crossgen2's map was made for the image with that MVID.  Its signature is a hash
 * of the MVID and the target.
 */
bool perfmap_signed_for(const struct perfmap *pm, const unsigned char mvid[MVID_BYTES]);

/* Computes the signature of a map of crossgen2.  target: numbers of system, machine and ABI. */
void perfmap_sign(const unsigned char mvid[MVID_BYTES], const uint32_t target[3],
                  unsigned char out[16]);

/* "{1f33821d-...}" or without braces, into the byte order of the #GUID heap. */
bool perfmap_guid(struct str text, unsigned char out[MVID_BYTES]);

/* And back: lower case, without braces, NUL terminated. */
void perfmap_guid_text(const unsigned char mvid[MVID_BYTES], char out[GUID_TEXT + 1]);

#endif
