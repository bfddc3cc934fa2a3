#include "writer/flame.h"

#include <stdlib.h>

#include "stack/sums.h"

enum { BILLION = 1000000000 };

/* The state of one layout; the tables are by node. */
struct layout {
	struct flame *f;
	const struct stacks *s;
	const struct interner *names;
	bool chart;
	double least, least_share; /* weight; share of one series */
	struct weight *total;
	struct children children;
	struct weight *edge;    /* by level: where its next box begins */
	struct weight *omitted; /* by level: of the children that have no box */
	size_t levels_cap;
	stack_id *sibling; /* room for sorting */
	size_t siblings_cap;
};

/* The weight of each stack in each series. */
static void add_series(struct layout *l)
{
	struct flame *f = l->f;

	f->total_of = arena_new(f->arena, struct weight *, f->nseries);
	for (size_t k = 0; k < f->nseries; k++) {
		f->total_of[k] = arena_new(f->arena, struct weight, l->s->n);
		memcpy(f->total_of[k], f->series[k].self,
		       f->series[k].n * sizeof(struct weight));
		sums_add_up(f->total_of[k], l->s);
	}
}

/* The share of all series that end at id, summed. */
static struct weight shares(const struct flame *f, stack_id id)
{
	struct weight sum = { 0 };

	for (size_t k = 0; k < f->nseries; k++) {
		double self = weight_value(series_self(&f->series[k], id));

		if (self > 0)
			sum.n += 1 + (uint64_t)(self / weight_value(f->total_of[k][0]) *
			                        FLAME_SHARE);
	}
	return sum;
}

/* Sets total and children. */
static void weigh(struct layout *l, struct arena *scratch)
{
	const struct flame *f = l->f;
	size_t n = l->s->n;

	l->total = arena_new(scratch, struct weight, n);
	if (f->nseries == 1)
		memcpy(l->total, f->series->self, f->series->n * sizeof(*l->total));
	for (size_t i = 0; i < n && f->nseries != 1; i++)
		l->total[i] = f->nseries ? shares(f, (stack_id)i)
		                         : sums_self(l->s, (stack_id)i);
	sums_add_up(l->total, l->s);
	l->children = sums_children(l->s, scratch);
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

	for (stack_id c = l->children.first[id]; c; c = l->children.next[c]) {
		if (n == l->siblings_cap)
			l->sibling = arena_grow(scratch, l->sibling, &l->siblings_cap,
			                        n + 1, sizeof(*l->sibling));
		l->sibling[n++] = c;
	}
	if (n < 2 || l->chart)
		return;
	qsort_r(l->sibling, n, sizeof(*l->sibling), by_name, l);
	l->children.first[id] = l->sibling[0];
	for (size_t i = 0; i < n; i++)
		l->children.next[l->sibling[i]] = i + 1 < n ? l->sibling[i + 1] : 0;
}

/* Cuts a box off at the right edge where a sum has saturated. */
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

static void push_box(struct layout *l, struct box box)
{
	struct flame *f = l->f;

	if (f->n == f->cap)
		f->box = arena_grow(f->arena, f->box, &f->cap, f->n + 1, sizeof(*f->box));
	f->box[f->n++] = box;
	f->nframes += box.kind == BOX_FRAME;
	if (box.kind == BOX_FRAME && box.level >= f->levels)
		f->levels = box.level + 1;
}

/* It is wide enough in all series together, or in one of them. */
static bool is_wide(const struct layout *l, stack_id id)
{
	const struct flame *f = l->f;

	if (weight_value(l->total[id]) >= l->least)
		return true;
	for (size_t k = 0; f->nseries > 1 && k < f->nseries; k++)
		if (weight_value(f->total_of[k][id]) >=
		    l->least_share * weight_value(f->total_of[k][0]))
			return true;
	return false;
}

/* Where the next box of level begins. */
static void set_edge(struct layout *l, uint32_t level, struct weight at,
                     struct arena *scratch)
{
	if (level >= l->levels_cap) {
		size_t cap = l->levels_cap;

		l->edge = arena_grow(scratch, l->edge, &l->levels_cap, level + 1u,
		                     sizeof(*l->edge));
		l->omitted = arena_grow(scratch, l->omitted, &cap, l->levels_cap,
		                        sizeof(*l->omitted));
	}
	l->edge[level] = at;
	l->omitted[level] = (struct weight){ 0 };
}

/* The box behind which this one would stand, when they are one. */
static struct box *same_gap(const struct layout *l, uint32_t level, enum box_kind kind)
{
	struct box *last = &l->f->box[l->f->n - 1];

	return last->level == level && last->kind == kind ? last : NULL;
}

/* A chart: gaps are boxes in their place, and adjacent gaps are one. */
static void push_gap(struct layout *l, uint32_t level, enum box_kind kind,
                     struct weight start, struct weight total)
{
	struct box *last = same_gap(l, level, kind);

	if (weight_value(total) <= 0)
		return;
	if (last)
		last->total = weight_sum(last->total, total);
	else
		push_box(l, (struct box){ .level = level,
		                          .kind = kind,
		                          .start = start,
		                          .total = total });
}

/*
 * One child of what was placed last on the level below: true when it has a box, on
 * which its children can stand.
 */
static bool place_child(struct layout *l, stack_id id, uint32_t level)
{
	struct weight start = l->edge[level];
	struct weight total = room(start, l->total[id], l->f->total);
	str_id name = l->s->node[id].name;

	if (weight_value(total) <= 0)
		return false;
	if (name && is_wide(l, id)) {
		l->edge[level] = weight_sum(start, total);
		push_box(l, (struct box){ .level = level,
		                          .id = id,
		                          .name = name,
		                          .start = start,
		                          .total = total });
		return true;
	}
	if (l->chart) {
		l->edge[level] = weight_sum(start, total);
		push_gap(l, level, name ? BOX_OMITTED : BOX_OWN, start, total);
	} else {
		l->omitted[level] = weight_sum(l->omitted[level], total);
	}
	return false;
}

/* Depth first; the way back up is in the tree. */
static void place(struct layout *l, struct arena *scratch)
{
	uint32_t level = 1;
	stack_id parent = 0, id;

	push_box(l, (struct box){ .total = l->f->total });
	set_edge(l, 1, (struct weight){ 0 }, scratch);
	sort_children(l, 0, scratch);
	id = l->children.first[0];
	for (;;) {
		if (!id) {
			push_gap(l, level, BOX_OMITTED, l->edge[level],
			         l->omitted[level]);
			if (!parent)
				return;
			id = l->children.next[parent];
			parent = l->s->node[parent].parent;
			level--;
		} else if (place_child(l, id, level)) {
			sort_children(l, id, scratch);
			parent = id;
			id = l->children.first[id];
			level++;
			set_edge(l, level, l->f->box[l->f->n - 1].start, scratch);
		} else {
			id = l->children.next[id];
		}
	}
}

void flame_layout(struct flame *f, const struct stacks *s, const struct interner *names,
                  const struct flame_opts *opts, struct arena *arena)
{
	struct arena scratch = { 0 };
	struct layout l = {
		.f = f,
		.s = s,
		.names = names,
		.chart = opts->chart,
		.least_share = opts->least,
	};

	*f = (struct flame){ .arena = arena,
		             .stacks = s,
		             .series = opts->series,
		             .nseries = opts->nseries };
	add_series(&l);
	weigh(&l, &scratch);
	f->sum = f->total = l.total[0];
	if (weight_value(opts->total) > weight_value(f->sum))
		f->total = opts->total;
	l.least = opts->least * weight_value(f->total);
	place(&l, &scratch);
	arena_release(&scratch);
}
