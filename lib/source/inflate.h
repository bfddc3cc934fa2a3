/*
 * inflate - a zstd stream that comes in pieces; the one user of libzstd.
 *
 * The pieces of one stream are fed in order; a frame may begin and end anywhere.
 */
#ifndef SOURCE_INFLATE_H
#define SOURCE_INFLATE_H

#include "base/str.h"

struct inflate;

/* NULL: no memory. */
struct inflate *inflate_open(void);

/*
 * Takes from the front of *in and writes at most *n bytes to out; *n becomes how
 * many were written.  Call again while *in is not empty or *n was all there was
 * room for.  -1: no zstd, or damaged; only inflate_restart helps then.
 */
int inflate_step(struct inflate *z, struct str *in, char *out, size_t *n);

/* Forgets everything; the next piece begins a stream. */
void inflate_restart(struct inflate *z);

/* Accepts NULL. */
void inflate_close(struct inflate *z);

#endif
