#include "stack/graft.h"

void graft_init(struct graft *g, struct fold *fold, struct str label)
{
	*g = (struct graft){ .fold = fold, .label = label };
}

stack_id graft_stack(struct graft *g, stack_id id)
{
	struct stacks *s;
	stack_id at = id;
	size_t n = 0;

	if (!g->label.n)
		return id;
	s = &g->fold->stacks;
	if (!g->root)
		g->root = fold_push_root(g->fold, g->label);
	arena_fit(g->fold->run, g->to, s->n, g->cap);
	for (; at && !g->to[at]; at = s->node[at].parent)
		*arena_push(g->fold->run, g->path, n, g->path_cap) = at;
	while (n--) {
		stack_id parent = s->node[g->path[n]].parent;

		g->to[g->path[n]] = stack_push(s, parent ? g->to[parent] : g->root,
		                               s->node[g->path[n]].name);
	}
	return g->to[id];
}
