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
	size_t all; /* number of values */
	/* private */
	/* the limit of the values so far when `key` was last reduced, or 0 */
	double least;
	/*
	 * the N + 1 greatest values at that time, and the later values that exceed `least`.
	 * The keys have the order of the values
	 */
	uint64_t *key;
	size_t n, cap;
};

/* Adds a value that is not negative. */
void widest_add(struct widest *w, double v);

/* Returns the limit, or -INFINITY if there are at most N values. */
double widest_limit(struct widest *w);

#endif
