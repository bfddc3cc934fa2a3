/*
 * jitindex - which of many pieces of code, each from a time on, holds an address.
 *
 * Pieces overlap in any way where addresses are used again.  A piece belongs to the
 * highest power of two that it spans a multiple of, its center; all pieces that hold
 * an address then have one of 65 centers, and of one center's pieces a single bound
 * decides.  Each piece is kept once, and a search is logarithmic for any input.
 * Private to image/.
 */
#ifndef IMAGE_JIT_JITINDEX_H
#define IMAGE_JIT_JITINDEX_H

#include "image/jit/jitdump.h"

/* code is by time and lives as long as the index. */
struct jit_index *jitindex_new(const struct jit_code *code, size_t n, struct arena *a);

/* The last piece that holds ip and begins by time_ns; else the first that holds it. */
bool jitindex_find(const struct jit_index *ix, uint64_t ip, uint64_t time_ns,
                   size_t *out);

#endif
