/*
 * moved - cost that one function lost and others gained, while their sum stays the same.
 *
 * A function that is split, renamed, inlined, or called by another way moves its cost.  Such
 * changes of self weights are one statement, "moved from A to B below C".
 */
#ifndef COMPARE_MOVED_H
#define COMPARE_MOVED_H

#include "compare/contrast.h"
#include "stack/stack.h"

/* The stacks of all profiles, named by the names of the comparison. */
struct moved_stacks {
	struct stacks stacks;
	double *weight[2]; /* by node, of the old and the new profiles */
	size_t cap[2];
};

struct moved {
	const struct change *from[4], *to[4];
	size_t nfrom, nto; /* one of them is 1 */
	str_id below;      /* the function that calls all of them */
	double weight;     /* that moved, in the unit */
};

void moved_init(struct moved_stacks *s, struct arena *arena);

/* Adds a weight to a stack of one group. */
void moved_add(struct moved_stacks *s, stack_id id, bool is_new, double weight);

/* Returns the number of moves.  *out is in arena. */
size_t moved_find(const struct contrast *c, const struct findings *found,
                  const struct moved_stacks *s, struct moved **out, struct arena *arena);

#endif
