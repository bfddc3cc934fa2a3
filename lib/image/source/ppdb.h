/*
 * ppdb - reads a portable PDB, which contains the source lines of .NET methods.
 *
 * A sequence point assigns a range of source text to an IL offset.  The number of a method is its
 * row in the MethodDef table of the assembly.  Precompiled images keep these numbers, so one PDB
 * applies to IL, precompiled code and JIT code.
 *
 * The tables are used in place.  Strings point into the bytes, unless the function takes an
 * arena.
 *
 * Specification: dotnet/runtime docs/design/specs/PortablePdb-Metadata.md.
 */
#ifndef IMAGE_SOURCE_PPDB_H
#define IMAGE_SOURCE_PPDB_H

#include "base/cursor.h"
#include "image/dotnet/metadata.h"

enum {
	PPDB_GUID = 16,
	/*
	 * size of an id in bytes: the GUID, and the time stamp of the debug directory
	 * entry
	 */
	PPDB_ID = 20,
};

struct ppdb {
	const unsigned char *id; /* PPDB_ID bytes */
	struct metadata md;
};

struct ppdb_point {
	uint32_t il;       /* offset in the IL of the method */
	uint32_t document; /* row of the source file */
	bool hidden;       /* there is no source text, so the numbers below are 0 */
	uint32_t line, column, end_line, end_column;
};

/* Iterates over the sequence points of a method. */
struct ppdb_walk {
	struct cursor c;
	struct ppdb_point point; /* the last point */
	uint32_t line, column;   /* start of the last visible point */
	bool begun, visible;
};

/* Returns false if the bytes are not a portable PDB, or if its tables are damaged. */
bool ppdb_read(struct ppdb *p, struct str bytes);

/*
 * Starts at the first point of a method.  If the method has no row or no points, the walk is
 * empty.
 */
void ppdb_begin(const struct ppdb *p, uint32_t method, struct ppdb_walk *w);

/* Sets *out to the next point.  Returns false at the end, or if the next point is damaged. */
bool ppdb_next(struct ppdb_walk *w, struct ppdb_point *out);

/*
 * Finds the last visible point of a method at or before an IL offset.  If all visible points
 * are later, the compiler has added the code at the offset, and the first visible point is used.
 * Returns false if the method has no visible point.
 */
bool ppdb_find(const struct ppdb *p, uint32_t method, uint32_t il,
               struct ppdb_point *out);

/* Returns the path of a source file, as the compiler wrote it, or an empty string. */
struct str ppdb_path(const struct ppdb *p, uint32_t document, struct arena *a);

/* Returns the hash of a source file: 20 bytes of SHA-1 or 32 bytes of SHA-256.  May be empty. */
struct str ppdb_hash(const struct ppdb *p, uint32_t document);

/* Returns the text of a source file, or an empty string if the PDB does not contain it. */
struct str ppdb_text(const struct ppdb *p, uint32_t document, struct arena *a);

/* Returns the JSON text that maps paths to URLs, or an empty string. */
struct str ppdb_source_link(const struct ppdb *p);

#endif
