/*
 * sums - what stacks weigh, added up over their tree.
 *
 * No recursion: stacks may be as deep as they like.
 */
#ifndef STACK_SUMS_H
#define STACK_SUMS_H

#include "stack/stack.h"
#include "stack/weight.h"

static inline struct weight sums_self(const struct stacks *s, stack_id id)
{
	return (struct weight){ s->node[id].self, s->node[id].fraction };
}

/* total has a weight for each node; adds to each what is below it. */
void sums_add_up(struct weight *total, const struct stacks *s);

/* By node: what goes through it. */
struct weight *sums_totals(const struct stacks *s, struct arena *a);

/* By node: its first child and its next sibling, in order of appearance; 0: none. */
struct children {
	stack_id *first, *next;
};

struct children sums_children(const struct stacks *s, struct arena *a);

/* All s->n nodes, each before its children and these before its next sibling. */
stack_id *sums_preorder(const struct stacks *s, struct arena *a);

struct sum {
	struct weight self, total;
};

/*
 * By group: what ends in it, and what goes through it, however often a stack does.
 * group[i] is the group of node i, below ngroups; 0: it has none.
 */
struct sum *sums_by_group(const struct stacks *s, const uint32_t *group, size_t ngroups,
                          struct arena *a);

#endif
