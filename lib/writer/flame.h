/*
 * flame - a tree of stacks laid out as boxes.
 *
 *	|        all         |	level 0
 *	| main        | idle |	level 1
 *	| parse | run |		level 2
 *
 * A box is as wide as the weight of all stacks that go through it, and stands above
 * (or below) its caller.  Siblings are in the order of their names' bytes, so a
 * picture does not depend on the order of the input.
 */
#ifndef WRITER_FLAME_H
#define WRITER_FLAME_H

#include "base/intern.h"
#include "stack/stack.h"

/* A sum of counts; saturates. */
struct weight {
	uint64_t n;
	uint32_t fraction; /* billionths of one */
};

struct box {
	uint32_t level;      /* 0: the root */
	str_id name;         /* 0: the root */
	struct weight start; /* from the left edge */
	struct weight total;
};

struct flame_opts {
	bool chart;          /* siblings in order of appearance; see path.chart */
	struct weight total; /* width of the root, if more than what is there */
	double least;        /* share of the root below which a box is left out, 0 to 1 */
};

struct flame {
	struct box
	        *box; /* each before its children, from left to right; [0] is the root */
	size_t n, cap;
	uint32_t levels;     /* of the boxes, 1 for the root alone */
	struct weight total; /* of the root */
	struct weight sum;   /* of the stacks: less than total when that was given */
	struct arena *arena;
};

/* Boxes live in arena.  No recursion: stacks may be as deep as they like. */
void flame_layout(struct flame *f, const struct stacks *s, const struct interner *names,
                  const struct flame_opts *opts, struct arena *arena);

static inline double weight_value(struct weight w)
{
	return (double)w.n + w.fraction / 1e9;
}

struct weight weight_sum(struct weight a, struct weight b);

#endif
