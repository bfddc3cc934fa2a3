/*
 * sums - computes the total weights of nodes and groups.  The functions do not recurse, so stacks
 * can have any depth.
 */
#ifndef STACK_SUMS_H
#define STACK_SUMS_H

#include "stack/stack.h"
#include "stack/weight.h"

static inline struct weight sums_self(const struct stacks *s, stack_id id)
{
	return (struct weight){ s->node[id].self, s->node[id].fraction };
}

/*
 * Adds the weights of all descendants to total[i] of each node.  At first, total[i] is the weight
 * of node i alone.
 */
void sums_add_up(struct weight *total, const struct stacks *s);

/* Returns the total weight of each node. */
struct weight *sums_totals(const struct stacks *s, struct arena *a);

/* The first child and the next sibling of each node, or 0, in order of appearance. */
struct children {
	stack_id *first, *next;
};

struct children sums_children(const struct stacks *s, struct arena *a);

/*
 * Returns all s->n nodes in preorder: each node precedes its children, which precede its next
 * sibling.
 */
stack_id *sums_preorder(const struct stacks *s, struct arena *a);

struct sum {
	struct weight self, total;
};

/*
 * Returns two weights for each group: of the stacks that end in it, and of the stacks that
 * contain it.  Each stack counts once, even if it contains several frames of the group.  group[i]
 * is the group of node i, which is below ngroups, or 0 if the node has no group.
 */
struct sum *sums_by_group(const struct stacks *s, const uint32_t *group, size_t ngroups,
                          struct arena *a);

#endif
