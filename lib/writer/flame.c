#include "writer/flame.h"

#include <stdlib.h>

enum { BILLION = 1000000000 };

/* Of one layout; the tables are by node. */
struct layout {
	struct flame *f;
	const struct stacks *s;
	const struct interner *names;
	bool chart;
	double least; /* weight */
	struct weight *total;
	stack_id *first, *next; /* child, sibling; 0: none */
	struct weight *edge;    /* by level: where its next box begins */
	size_t edges_cap;
	stack_id *sibling; /* room for sorting */
	size_t siblings_cap;
};

struct weight weight_sum(struct weight a, struct weight b)
{
	a.fraction += b.fraction;
	if (a.fraction >= BILLION) {
		a.fraction -= BILLION;
		b.n += b.n < UINT64_MAX;
	}
	if (__builtin_add_overflow(a.n, b.n, &a.n))
		a.n = UINT64_MAX;
	return a;
}

/* Children have greater ids than parents: one pass from the last to the first. */
static void add_up(struct layout *l, struct arena *scratch)
{
	size_t n = l->s->n;

	l->total = arena_new(scratch, struct weight, n);
	l->first = arena_new(scratch, stack_id, n);
	l->next = arena_new(scratch, stack_id, n);
	for (size_t i = n; i-- > 0;) {
		const struct stack_node *node = &l->s->node[i];

		l->total[i] = weight_sum(l->total[i],
		                         (struct weight){ node->self, node->fraction });
		if (!i)
			break;
		l->total[node->parent] = weight_sum(l->total[node->parent], l->total[i]);
		l->next[i] = l->first[node->parent];
		l->first[node->parent] = (stack_id)i;
	}
}

static int by_name(const void *a, const void *b, void *ctx)
{
	const struct layout *l = ctx;
	str_id x = l->s->node[*(const stack_id *)a].name;
	str_id y = l->s->node[*(const stack_id *)b].name;

	return str_cmp(intern_str(l->names, x), intern_str(l->names, y));
}

/* Puts the children of id in order; their list is in order of appearance. */
static void sort_children(struct layout *l, stack_id id, struct arena *scratch)
{
	size_t n = 0;

	for (stack_id c = l->first[id]; c; c = l->next[c]) {
		if (n == l->siblings_cap)
			l->sibling = arena_grow(scratch, l->sibling, &l->siblings_cap,
			                        n + 1, sizeof(*l->sibling));
		l->sibling[n++] = c;
	}
	if (n < 2 || l->chart)
		return;
	qsort_r(l->sibling, n, sizeof(*l->sibling), by_name, l);
	l->first[id] = l->sibling[0];
	for (size_t i = 0; i < n; i++)
		l->next[l->sibling[i]] = i + 1 < n ? l->sibling[i + 1] : 0;
}

/* What a sum that saturated cannot hold is cut off at the right edge. */
static struct weight room(struct weight start, struct weight wanted, struct weight end)
{
	struct weight left = { end.n - start.n, end.fraction - start.fraction };

	if (end.fraction < start.fraction) {
		left.fraction += BILLION;
		left.n--;
	}
	if (left.n < wanted.n || (left.n == wanted.n && left.fraction < wanted.fraction))
		return left;
	return wanted;
}

static void push_box(struct layout *l, stack_id id, uint32_t level, struct weight start,
                     struct weight total)
{
	struct flame *f = l->f;

	if (f->n == f->cap)
		f->box = arena_grow(f->arena, f->box, &f->cap, f->n + 1, sizeof(*f->box));
	f->box[f->n++] =
	        (struct box){ level, id ? l->s->node[id].name : 0, start, total };
	if (level >= f->levels)
		f->levels = level + 1;
}

/* Time of a chart without a name, and what is too narrow, leave a gap. */
static bool is_drawn(const struct layout *l, stack_id id)
{
	double w = weight_value(l->total[id]);

	return w > 0 && w >= l->least && l->s->node[id].name;
}

/* Where the next box of level begins. */
static void set_edge(struct layout *l, uint32_t level, struct weight at,
                     struct arena *scratch)
{
	if (level >= l->edges_cap)
		l->edge = arena_grow(scratch, l->edge, &l->edges_cap, level + 1u,
		                     sizeof(*l->edge));
	l->edge[level] = at;
}

/* Depth first; the way back up is in the tree. */
static void place(struct layout *l, struct arena *scratch)
{
	struct flame *f = l->f;
	uint32_t level = 1;
	stack_id parent = 0, id;

	push_box(l, 0, 0, (struct weight){ 0 }, f->total);
	set_edge(l, 1, (struct weight){ 0 }, scratch);
	sort_children(l, 0, scratch);
	id = l->first[0];
	for (;;) {
		struct weight start, total;

		if (!id) {
			if (!parent)
				return;
			id = l->next[parent];
			parent = l->s->node[parent].parent;
			level--;
			continue;
		}
		start = l->edge[level];
		total = room(start, l->total[id], f->total);
		l->edge[level] = weight_sum(start, total);
		if (!is_drawn(l, id) || weight_value(total) <= 0) {
			id = l->next[id];
			continue;
		}
		push_box(l, id, level, start, total);
		sort_children(l, id, scratch);
		parent = id;
		id = l->first[id];
		set_edge(l, ++level, start, scratch);
	}
}

void flame_layout(struct flame *f, const struct stacks *s, const struct interner *names,
                  const struct flame_opts *opts, struct arena *arena)
{
	struct arena scratch = { 0 };
	struct layout l = { .f = f, .s = s, .names = names, .chart = opts->chart };

	*f = (struct flame){ .arena = arena };
	add_up(&l, &scratch);
	f->sum = f->total = l.total[0];
	if (weight_value(opts->total) > weight_value(f->sum))
		f->total = opts->total;
	l.least = opts->least * weight_value(f->total);
	place(&l, &scratch);
	arena_release(&scratch);
}
