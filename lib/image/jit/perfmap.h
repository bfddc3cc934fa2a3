/*
 * perfmap - reads text maps that name code: perf-PID.map, and crossgen's .map and .r2rmap.
 *
 * All three consist of lines START SIZE NAME, with hexadecimal numbers.  In a perf map, START is
 * a run-time address.  In maps of crossgen and crossgen2, START is an RVA, and the map identifies
 * its image: crossgen's map by the MVID in the file name, crossgen2's map by a signature in the
 * first line.
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
 * Code with times.  Made from a nettrace if several methods had the same address at different
 * times.
 */
struct perfmap_times {
	const struct jit_code *code; /* sorted by time */
	const struct str *name;
	size_t n;
	const struct jit_index *index;
};

struct perfmap {
	/*
	 * sorted by ip or, if `relative` is set, by RVA.  Names point into the map's
	 * bytes
	 */
	struct symtab symbols;
	/* addresses that have had several names.  Stubs are not included */
	struct symtab shared;
	bool relative;
	/* times of the code, or NULL if they are unknown */
	const struct perfmap_times *times;
	bool whole; /* made from a nettrace, so it also names code in files and in the kernel */
	const struct clr_lines
	        *lines; /* methods of a nettrace (image/dotnet/clr_lines.h), or NULL */
	bool has_signature; /* set for maps of crossgen2 */
	unsigned char signature[16];
	uint32_t target[3]; /* crossgen2: numbers of system, machine and ABI */
	bool has_mvid;      /* crossgen: the file name contains the MVID */
	unsigned char mvid[MVID_BYTES]; /* bytes in the order of the image's #GUID heap */
	/* number of malformed or overwritten lines.  A truncated last line is not counted */
	size_t bad_lines;
	size_t bad_line; /* line number of the first malformed line */
	size_t inside; /* number of intact lines that were found inside malformed lines */
};

/* Returns true if the first bytes are lines of a perf map, a .map or an .r2rmap. */
bool perfmap_bid(struct str head);

/* Reads a map.  name: the file name.  bytes must live as long as the map. */
void perfmap_read(struct perfmap *pm, struct str name, struct str bytes, struct arena *a);

/*
 * Adds times of code to a map.  code: n pieces, sorted by time.  name[i] is the name of code[i].
 * Both arrays must live as long as the map.
 */
void perfmap_set_times(struct perfmap *pm, const struct jit_code *code,
                       const struct str *name, size_t n, struct arena *a);

/*
 * Sets *out to the index in `times` of the newest code at ip that existed at time_ns.  If there
 * is no such code, uses the first code at ip that was made later.  Returns false if there is no
 * code at ip, or if the map has no times.
 */
bool perfmap_find(const struct perfmap *pm, uint64_t ip, uint64_t time_ns, size_t *out);

/*
 * Moves *i to the last code in `times` at ip that is older than *i.  Returns false if there is no
 * such code.
 */
bool perfmap_earlier(const struct perfmap *pm, uint64_t ip, size_t *i);

/*
 * Returns true for names that runtimes give to their own stubs.  Runtimes list a block of stubs
 * and also each stub in the block.  The line of the block overlaps the lines of its stubs,
 * although no address was reused.
 */
bool perfmap_is_stub(struct str name);

/*
 * Returns the pid in the file name of a path: 7679 for "perf-7679.map".  Returns -1 for other
 * names.
 */
int32_t perfmap_pid(struct str name);

/*
 * Returns the image in the name of a map: "System.Linq" for "System.Linq.ni.{..}.map", "calc10"
 * for "calc10.ni.r2rmap".  Returns an empty string for other names.
 */
struct str perfmap_image(struct str name);

/*
 * Returns true if crossgen2 made the map for the image with that MVID.  The signature is a hash
 * of the MVID and the target.
 */
bool perfmap_signed_for(const struct perfmap *pm, const unsigned char mvid[MVID_BYTES]);

/* Computes the signature of a crossgen2 map.  target: numbers of system, machine and ABI. */
void perfmap_sign(const unsigned char mvid[MVID_BYTES], const uint32_t target[3],
                  unsigned char out[16]);

/* Converts "{1f33821d-...}", with or without braces, to bytes in the order of the #GUID heap. */
bool perfmap_guid(struct str text, unsigned char out[MVID_BYTES]);

/* Converts an MVID to lower-case text without braces, with a final NUL. */
void perfmap_guid_text(const unsigned char mvid[MVID_BYTES], char out[GUID_TEXT + 1]);

#endif
