/*
 * sums - adds up the weights of stacks over the tree.
 *
 * The functions are not recursive, so stacks may have any depth.
 */
#ifndef STACK_SUMS_H
#define STACK_SUMS_H

#include "stack/stack.h"
#include "stack/weight.h"

static inline struct weight sums_self(const struct stacks *s, stack_id id)
{
	return (struct weight){ s->node[id].self, s->node[id].fraction };
}

/* Returns the total weight of each node. */
struct weight *sums_totals(const struct stacks *s, struct arena *a);

/*
 * Returns all s->n nodes in preorder: a node, its children with their descendants, its next
 * sibling.
 */
stack_id *sums_preorder(const struct stacks *s, struct arena *a);

struct sum {
	struct weight self, total;
};

/*
 * Returns two sums for each group: the weight of stacks that end in the group, and the weight of
 * stacks that contain the group.  A stack counts once in each sum.  group[i] is the group of node
 * i, or 0 if the node has no group.  group[i] must be less than ngroups.
 */
struct sum *sums_by_group(const struct stacks *s, const uint32_t *group, size_t ngroups,
                          struct arena *a);

#endif
