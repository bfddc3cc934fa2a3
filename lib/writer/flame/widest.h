/*
 * widest - finds the limit that only the N greatest of many values exceed.  Equal values are not
 * separated, so fewer than N values may exceed the limit.
 */
#ifndef WRITER_FLAME_WIDEST_H
#define WRITER_FLAME_WIDEST_H

#include "base/arena.h"

struct widest {
	size_t most; /* N */
	struct arena *arena;
	/* heap of the N + 1 greatest values so far.  heap[0] is the least of them */
	double *heap;
	size_t n, cap;
};

void widest_add(struct widest *w, double v);

/* Returns the limit, or -INFINITY if there are at most N values. */
double widest_limit(const struct widest *w);

#endif
