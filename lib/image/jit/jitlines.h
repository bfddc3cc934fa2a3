/*
 * jitlines - reads the line table in a DEBUG_INFO record of a jitdump.
 *
 * 	02 00 00 00 80 04 00 00  ...		DEBUG_INFO of 1,152 bytes
 * 	c0 91 fc 5e 47 7f 00 00  20 00 00 00 00 00 00 00    address of the code, 32 entries
 * 	00 92 fc 5e 47 7f 00 00  56 02 00 00 1e 00 00 00    address of an entry, line 598
 * 	"node:internal/util\0" ...		      file of the entry
 *
 * Node 20 writes the names of most scripts from freed memory, so they contain arbitrary bytes.
 * Such tables are ignored.  Private to image/.
 */
#ifndef IMAGE_JIT_JITLINES_H
#define IMAGE_JIT_JITLINES_H

#include "base/cursor.h"
#include "image/jit/jitdump.h"

struct jit_line {
	uint64_t from;        /* offset in the code */
	uint32_t line, order; /* line number, and position of the entry in the record */
	struct str file;      /* points into the record */
};

struct jit_lines {
	const struct jit_line *line; /* sorted by from */
	size_t n;                    /* 0 if the table was ignored or damaged */
	bool read;
};

/*
 * Reads a record.  c: the bytes after its prefix.  size: size of the code.  shift: a number that
 * the writer has added to all addresses.
 */
void jitlines_read(struct jit_lines *t, struct cursor c, uint64_t size, uint64_t shift,
                   struct arena *a);

/*
 * Returns the entry of the byte at `off`, or NULL.  If `ends` is set, the offset of an entry is
 * the end of its range.  Otherwise it is the start of its range.
 */
const struct jit_line *jitlines_find(const struct jit_lines *t, uint64_t off, bool ends);

#endif
