/*
 * moved - finds cost that moved from one function to others, or from others to one, while the total
 * cost of these functions did not change.  This happens if a function is split, renamed, inlined,
 * or called in another way.  Such changes of self weights are reported together as "moved from A to
 * B below C".
 */
#ifndef COMPARE_MOVED_H
#define COMPARE_MOVED_H

#include "compare/contrast.h"
#include "stack/stack.h"

/*
 * The stacks of all profiles.  The name ids in the stacks are ids in the interner of struct
 * contrast.
 */
struct moved_stacks {
	struct stacks stacks;
	/* sums over the old and over the new profiles, indexed by node */
	double *weight[2];
	size_t cap[2];
};

struct moved {
	const struct change *from[4], *to[4];
	/* numbers of functions in `from` and `to`.  At least one number is 1 */
	size_t nfrom, nto;
	str_id below;  /* common caller of the functions in `from` and `to` */
	double weight; /* weight that moved, in the unit of the findings */
};

void moved_init(struct moved_stacks *s, struct arena *arena);

/* Adds a weight to a stack of one group. */
void moved_add(struct moved_stacks *s, stack_id id, bool is_new, double weight);

/* Finds the moves and allocates them in arena as *out.  Returns their number. */
size_t moved_find(const struct contrast *c, const struct findings *found,
                  const struct moved_stacks *s, struct moved **out, struct arena *arena);

#endif
