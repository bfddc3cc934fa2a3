/*
 * jitindex - finds the JIT code that contained an address at a given time.  Private to image/.
 *
 * If addresses are reused, pieces of code may overlap in any way.  The center of a piece is the
 * address in the piece that is divisible by the highest power of two.  Pieces that contain a
 * given address can have only 65 different centers.  For pieces with the same center, one
 * comparison decides whether a piece contains the address.  Each piece is stored once, and a
 * search takes logarithmic time for any input.
 */
#ifndef IMAGE_JIT_JITINDEX_H
#define IMAGE_JIT_JITINDEX_H

#include "image/jit/jitdump.h"

/* Indexes `code`, which must be sorted by time and must outlive the index. */
struct jit_index *jitindex_new(const struct jit_code *code, size_t n, struct arena *a);

/*
 * Finds the last piece at ip that was made at or before time_ns.  If there is no such piece,
 * finds the first piece at ip.
 */
bool jitindex_find(const struct jit_index *ix, uint64_t ip, uint64_t time_ns,
                   size_t *out);

/*
 * Moves *piece to the last piece at ip that is older than *piece.  Returns false if there is no
 * such piece.
 */
bool jitindex_earlier(const struct jit_index *ix, uint64_t ip, size_t *piece);

#endif
