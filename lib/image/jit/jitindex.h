/*
 * jitindex - finds the piece of code that contained an address at a time.  Private to
 * image/.
 *
 * Pieces overlap in any way if addresses are used again.  The center of a piece is the
 * multiple of the highest power of two that the piece spans.  All pieces that contain an
 * address have one of 65 centers.  Of pieces with one center, a single comparison decides
 * if a piece contains an address.  Each piece is stored once, and a search is logarithmic
 * for any input.
 */
#ifndef IMAGE_JIT_JITINDEX_H
#define IMAGE_JIT_JITINDEX_H

#include "image/jit/jitdump.h"

/* Makes an index of `code`, which must be sorted by time and outlive the index. */
struct jit_index *jitindex_new(const struct jit_code *code, size_t n, struct arena *a);

/* Finds the last piece at ip that was made by time_ns, else the first piece at ip. */
bool jitindex_find(const struct jit_index *ix, uint64_t ip, uint64_t time_ns,
                   size_t *out);

/*
 * Replaces *piece by the last piece at ip that was made before *piece.  Returns false if
 * there is no such piece.
 */
bool jitindex_earlier(const struct jit_index *ix, uint64_t ip, size_t *piece);

#endif
