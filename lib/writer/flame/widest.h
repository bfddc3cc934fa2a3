/*
 * widest - finds the limit that the N greatest of many values exceed.
 *
 * Equal values are all above the limit or all not, so fewer than N values may exceed it.
 */
#ifndef WRITER_FLAME_WIDEST_H
#define WRITER_FLAME_WIDEST_H

#include "base/arena.h"

struct widest {
	size_t most; /* N */
	struct arena *arena;
	double *heap; /* the N + 1 greatest so far, the least of them first */
	size_t n, cap;
};

void widest_add(struct widest *w, double v);

/* Returns -INFINITY if there are no more than N values. */
double widest_limit(const struct widest *w);

#endif
