/*
 * jitlines - the table of lines in a DEBUG_INFO record of a jitdump.
 *
 *	02 00 00 00 80 04 00 00  ...                        DEBUG_INFO of 1,152 bytes
 *	c0 91 fc 5e 47 7f 00 00  20 00 00 00 00 00 00 00    of the code there, 32 entries
 *	00 92 fc 5e 47 7f 00 00  56 02 00 00 1e 00 00 00    from there on line 598
 *	"node:internal/util\0" ...                          of that file
 *
 * Node 20 writes the names of most scripts from freed memory: any bytes, NULs included.
 * Such a table is ignored.  Private to image/.
 */
#ifndef IMAGE_JIT_JITLINES_H
#define IMAGE_JIT_JITLINES_H

#include "base/cursor.h"
#include "image/jit/jitdump.h"

struct jit_line {
	uint64_t from;        /* offset in the code */
	uint32_t line, order; /* the line, and the position of the entry in the record */
	struct str file;      /* in the record's bytes */
};

struct jit_lines {
	const struct jit_line *line; /* by from */
	size_t n;                    /* 0: ignored, or damaged */
	bool read;
};

/*
 * Reads a record without its prefix.  size: size of the code.  shift: the writer has
 * added it to the addresses in the table.
 */
void jitlines_read(struct jit_lines *t, struct cursor c, uint64_t size, uint64_t shift,
                   struct arena *a);

/*
 * Returns the entry of the byte at `off`, or NULL.  An entry has the offset of the first
 * byte of its range, or of the byte after its range if `ends` is set.
 */
const struct jit_line *jitlines_find(const struct jit_lines *t, uint64_t off, bool ends);

#endif
