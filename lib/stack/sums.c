#include "stack/sums.h"

struct weight *sums_totals(const struct stacks *s, struct arena *a)
{
	struct weight *total = arena_new(a, struct weight, s->n);

	for (size_t i = 0; i < s->n; i++)
		total[i] = sums_self(s, (stack_id)i);
	/* Children have greater ids than their parents, so one loop from the end is sufficient. */
	for (size_t i = s->n; i-- > 1;) {
		stack_id parent = s->node[i].parent;

		total[parent] = weight_sum(total[parent], total[i]);
	}
	return total;
}

stack_id *sums_preorder(const struct stacks *s, struct arena *a)
{
	stack_id *order = arena_new(a, stack_id, s->n), id = 0;
	/* first child and next sibling of each node, or 0.  Siblings are in order of appearance */
	stack_id *first = arena_new(a, stack_id, s->n);
	stack_id *next = arena_new(a, stack_id, s->n);

	for (size_t i = s->n; i-- > 1;) {
		next[i] = first[s->node[i].parent];
		first[s->node[i].parent] = (stack_id)i;
	}
	for (size_t n = 1; n < s->n; n++) {
		stack_id below = first[id];

		while (!below) {
			below = next[id];
			id = s->node[id].parent;
		}
		order[n] = id = below;
	}
	return order;
}

struct sum *sums_by_group(const struct stacks *s, const uint32_t *group, size_t ngroups,
                          struct arena *a)
{
	struct sum *sum = arena_new(a, struct sum, ngroups);
	/* indexed by group: number of its frames on the path to the current node */
	uint32_t *open = arena_new(a, uint32_t, ngroups);
	stack_id *order = sums_preorder(s, a), top = 0;
	struct weight *total = sums_totals(s, a);

	for (size_t i = 1; i < s->n; i++) {
		stack_id id = order[i];
		struct sum *of = &sum[group[id]];

		for (; top != s->node[id].parent; top = s->node[top].parent)
			open[group[top]]--;
		top = id;
		of->self = weight_sum(of->self, sums_self(s, id));
		if (!open[group[id]]++)
			of->total = weight_sum(of->total, total[id]);
	}
	sum[0] = (struct sum){ 0 };
	return sum;
}
