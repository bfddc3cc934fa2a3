#include "stack/calls.h"

/*
 * State of calls_find.  The arrays are indexed by node.  inside[i] is true if a wanted function
 * is on the path to node i.  at[i] is the node of `out` that corresponds to this path.
 */
struct walk {
	const struct fold *f;
	const struct groups *of;
	struct stacks *out;
	struct interner *names;
	bool *inside;
	stack_id *at;
};

static str_id name_of(struct walk *w, stack_id id)
{
	const struct site *p = site_at(w->f->sites, w->f->stacks.node[id].name);
	uint32_t group = w->of->of[id];

	if (p->root)
		return intern(w->names, intern_str(&w->f->names, p->label));
	return intern(w->names, intern_str(&w->of->names, group));
}

/*
 * Adds a node that is inside a wanted function.  A parent has a smaller number than its children,
 * so it was already added.
 */
static void add_called(struct walk *w, stack_id id)
{
	const struct stacks *s = &w->f->stacks;
	stack_id parent = s->node[id].parent;

	if (w->inside[parent])
		w->at[id] = stack_push(w->out, w->at[parent], name_of(w, id));
	stack_add(w->out, w->at[id], s->node[id].self, s->node[id].fraction);
}

static void add_callers(struct walk *w, stack_id id, struct weight total)
{
	stack_id to = 0;

	for (id = w->f->stacks.node[id].parent; id; id = w->f->stacks.node[id].parent)
		to = stack_push(w->out, to, name_of(w, id));
	stack_add(w->out, to, total.n, total.fraction);
}

void calls_find(struct stacks *out, struct interner *names, enum calls_way way,
                const struct fold *f, const struct groups *of, const bool *wanted,
                struct arena *a)
{
	const struct stacks *s = &f->stacks;
	struct walk w = { f, of, out, names, .inside = arena_new(a, bool, s->n) };
	struct weight *total = sums_totals(s, a);

	w.at = arena_new(a, stack_id, s->n);
	stack_init(out, a);
	intern_init(names, a);
	for (stack_id id = 1; id < s->n; id++) {
		bool outermost = !w.inside[s->node[id].parent] && wanted[of->of[id]];

		w.inside[id] = outermost || w.inside[s->node[id].parent];
		if (way == CALLS_CALLEES && w.inside[id])
			add_called(&w, id);
		if (way == CALLS_CALLERS && outermost)
			add_callers(&w, id, total[id]);
	}
}
