/*
 * widest - finds a limit that only the N greatest values exceed.
 *
 * If values are equal, all or none of them exceed the limit, so it may be exceeded by fewer than
 * N values.
 */
#ifndef WRITER_FLAME_WIDEST_H
#define WRITER_FLAME_WIDEST_H

#include "base/arena.h"

struct widest {
	size_t most; /* N */
	struct arena *arena;
	/* heap of the N + 1 greatest values so far, with the least at the top */
	double *heap;
	size_t n, cap;
};

void widest_add(struct widest *w, double v);

/* Returns -INFINITY if there are at most N values. */
double widest_limit(const struct widest *w);

#endif
