#include "writer/flame/flame.h"

#include <math.h>

#include "writer/flame/widest.h"

/*
 * A box on the path to the current stack.  It may still grow, because more stacks may contain it.
 */
struct open {
	/* index in flame.box if this box is kept, and index in flame.slot of its first slot */
	size_t box, slot;
	str_id name;
	struct weight start;
	struct weight edge;    /* left edge of the next child */
	struct weight omitted; /* width of the children without a box */
	struct weight width;   /* width before room() limits it */
};

/* State of a layout. */
struct layout {
	struct flame *f;
	struct rows *rows;
	bool chart, reversed;
	double *scale; /* scale[i] converts a weight of series i to a width */
	/*
	 * minimum width of a box.  A narrower box must have the share `least_share` of one series
	 */
	double least, least_share;
	double limit; /* a box is kept only if its heaviness() exceeds this limit */
	struct arena *scratch;
	struct open *open;   /* by level */
	struct share *share; /* indexed by level and series: weights of the open box */
	size_t open_cap, shares_cap;
	uint32_t level;    /* level of the innermost open box */
	uint32_t *on_path; /* indexed by name: number of open boxes with this name */
};

/* Converts w to a width.  The widest series has width FLAME_SHARE.  Only 0 has width 0. */
static struct weight part_of(const struct layout *l, size_t series, struct weight w)
{
	if (weight_value(w) <= 0)
		return (struct weight){ 0 };
	return (struct weight){ 1 + (uint64_t)(weight_value(w) * l->scale[series]), 0 };
}

/* Returns the width of a weight in a series. */
static struct weight width_of(const struct layout *l, size_t series, struct weight w)
{
	return l->f->nseries == 1 ? w : part_of(l, series, w);
}

static void add(struct weight *to, struct weight w)
{
	*to = weight_sum(*to, w);
}

/*
 * Returns the wanted width, limited to the space from `start` to `end`.  The wanted width exceeds
 * this space only if a sum has saturated.
 */
static struct weight room(struct weight start, struct weight wanted, struct weight end)
{
	struct weight left = { end.n - start.n, end.fraction - start.fraction };

	if (end.fraction < start.fraction) {
		left.fraction += WEIGHT_ONE;
		left.n--;
	}
	return weight_compare(left, wanted) < 0 ? left : wanted;
}

unsigned __int128 flame_divisor(unsigned __int128 a, unsigned __int128 b)
{
	while (b) {
		unsigned __int128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Includes the weight of a stack in the greatest common divisor. */
static void divide(struct flame *f, struct weight w)
{
	unsigned __int128 whole = w.n;

	if ((!w.n && !w.fraction) || (f->divisor == 1 && f->fractions >= !!w.fraction))
		return;
	if (w.fraction && !f->fractions) {
		f->fractions = true;
		f->divisor *= WEIGHT_ONE;
	}
	if (f->fractions)
		whole = whole * WEIGHT_ONE + w.fraction;
	f->divisor = flame_divisor(whole, f->divisor);
}

/* Adds an uninitialized box and returns its address. */
static struct box *reserve(struct flame *f)
{
	return arena_push(f->arena, f->box, f->n, f->cap);
}

/*
 * Adds a child box without a name.  A BOX_OMITTED box is the sum of omitted children of the
 * parent.  A BOX_OWN box of a chart is time in which the parent runs its own code.  If the
 * previous sibling has the same kind, adds the weight to this sibling instead.
 */
static void push_gap(struct flame *f, const struct open *parent, struct box gap)
{
	size_t last = f->n - 1;

	if (weight_value(gap.total) <= 0)
		return;
	if (last > parent->box && f->box[last].level == gap.level &&
	    f->box[last].kind == gap.kind)
		add(&f->box[last].total, gap.total);
	else
		*reserve(f) = gap;
}

/* Opens a box on `level`, for its width only. */
static void enter_width(struct layout *l, uint32_t level)
{
	size_t n = l->f->nseries;

	l->level = level;
	arena_fit(l->scratch, l->open, level + 1u, l->open_cap);
	arena_fit(l->scratch, l->share, (level + 1u) * n, l->shares_cap);
	for (size_t k = 0; k < n; k++)
		l->share[level * n + k] = (struct share){ 0 };
	l->open[level].width = (struct weight){ 0 };
}

/* Opens a box with the name `name` on `level`.  `level` must be l->level + 1. */
static void enter(struct layout *l, uint32_t level, str_id name)
{
	struct flame *f = l->f;
	struct weight start = { 0 };

	enter_width(l, level);
	if (level)
		start = l->open[level - 1].edge;
	l->open[level] = (struct open){ .box = f->n,
		                        .slot = f->nslots,
		                        .name = name,
		                        .start = start,
		                        .edge = start };
	l->on_path[name]++;
	reserve(f);
}

/* Adds the self weight of a box to its width. */
static void close_sums(struct layout *l, struct open *o, const struct share *share)
{
	for (size_t k = 0; k < l->f->nseries; k++) {
		divide(l->f, share[k].self);
		add(&o->width, width_of(l, k, share[k].self));
	}
}

/*
 * Adds the weights of the last open box to the sums of its name.  Also adds the total weight of
 * the box to the total weight of its parent.
 */
static void count_share(struct layout *l, const struct open *o, struct share *share)
{
	bool outermost = --l->on_path[o->name] == 0;
	struct share *below = share - l->f->nseries;

	for (size_t k = 0; k < l->f->nseries; k++) {
		struct share *name = &l->f->names[k][o->name];

		add(&below[k].total, share[k].total);
		if (!l->reversed)
			add(&name->self, share[k].self);
		else if (l->level == 1)
			add(&name->self, share[k].total);
		if (outermost)
			add(&name->total, share[k].total);
	}
}

/*
 * Returns the share of the whole width that the box has, or the share of one series' weight if
 * this share is greater.
 */
static double heaviness(const struct layout *l, const struct open *o,
                        const struct share *share)
{
	double most = weight_value(o->width) / weight_value(l->f->total);

	for (size_t k = 0; l->f->nseries > 1 && k < l->f->nseries; k++) {
		double all = weight_value(rows_sum(l->rows, k));

		if (all > 0 && weight_value(share[k].total) / all > most)
			most = weight_value(share[k].total) / all;
	}
	return most;
}

/*
 * Returns true if the width of the box, or its share of one series, is large enough to draw the
 * box.
 */
static bool is_wide(const struct layout *l, const struct open *o,
                    const struct share *share)
{
	size_t n = l->f->nseries;

	if (l->limit > 0 && heaviness(l, o, share) <= l->limit)
		return false;
	if (weight_value(o->width) >= l->least)
		return true;
	for (size_t k = 0; n > 1 && k < n; k++)
		if (weight_value(share[k].total) > 0 &&
		    weight_value(share[k].total) >=
		            l->least_share * weight_value(rows_sum(l->rows, k)))
			return true;
	return false;
}

/* Keeps the last open box with its children. */
static void keep(struct layout *l, const struct open *o, const struct share *share,
                 struct weight total)
{
	struct flame *f = l->f;

	push_gap(f, o,
	         (struct box){ .level = l->level + 1,
	                       .kind = BOX_OMITTED,
	                       .start = o->edge,
	                       .total = o->omitted });
	f->box[o->box] = (struct box){
		.level = l->level, .name = o->name, .start = o->start, .total = total
	};
	arena_fit(f->arena, f->share, f->n * f->nseries, f->shares_cap);
	memcpy(&f->share[o->box * f->nseries], share, f->nseries * sizeof(*share));
}

/* Removes the box and its children.  Assigns their weights in time slots to the parent. */
static void drop(struct layout *l, const struct open *o, struct weight total)
{
	struct open *below = &l->open[l->level - 1];
	struct flame *f = l->f;

	f->n = o->box;
	f->missing++;
	for (size_t i = o->slot; i < f->nslots; i++) {
		f->slot[i].box = (uint32_t)below->box;
		f->slot[i].left_out = true;
	}
	if (l->chart)
		push_gap(f, below,
		         (struct box){ .level = l->level,
		                       .kind = BOX_OMITTED,
		                       .start = o->start,
		                       .total = total });
	else
		add(&below->omitted, total);
}

/* Closes the last open box, after all stacks that contain it were added. */
static void leave(struct layout *l)
{
	struct flame *f = l->f;
	struct open *o = &l->open[l->level], *below = o - 1;
	struct share *share = &l->share[l->level * f->nseries];
	struct weight total;
	bool kept;

	close_sums(l, o, share);
	count_share(l, o, share);
	add(&below->width, o->width);
	total = room(o->start, o->width, f->total);
	kept = weight_value(total) > 0 && is_wide(l, o, share);
	if (kept)
		keep(l, o, share, total);
	else
		drop(l, o, total);
	if (kept || l->chart)
		below->edge = weight_sum(o->start, total);
	l->level--;
}

/* In a chart, adds a box without a name above a frame, for the time that the frame itself runs. */
static void add_own(struct layout *l, const struct row *row, struct weight width)
{
	struct open *o = &l->open[l->level];
	struct weight total = room(o->edge, width, l->f->total);

	divide(l->f, row->weight);
	add(&l->f->names[row->series][o->name].self, row->weight);
	push_gap(l->f, o,
	         (struct box){ .level = l->level + 1,
	                       .kind = BOX_OWN,
	                       .start = o->edge,
	                       .total = total });
	add(&o->edge, total);
}

/* Adds a stack that ends in the last open box. */
static void add_row(struct layout *l, const struct row *row)
{
	struct share *share = &l->share[l->level * l->f->nseries + row->series];
	struct open *o = &l->open[l->level];
	struct flame *f = l->f;

	add(&share->total, row->weight);
	if (!l->chart) {
		add(&share->self, row->weight);
	} else {
		struct weight width = width_of(l, row->series, row->weight);

		add_own(l, row, width);
		add(&o->width, width);
	}
	if (!row->slot || f->nseries > 1)
		return;
	*arena_push(f->arena, f->slot, f->nslots, f->slots_cap) =
	        (struct slot){ row->slot - 1, (uint32_t)o->box, l->chart, row->weight };
}

/* Closes the root after all stacks. */
static void leave_root(struct layout *l)
{
	struct flame *f = l->f;
	struct open *root = l->open;

	close_sums(l, root, l->share);
	f->sum = root->width;
	keep(l, root, l->share, f->total);
	for (size_t i = 0; i < f->n; i++) {
		f->nframes += f->box[i].kind == BOX_FRAME;
		if (f->box[i].kind == BOX_FRAME && f->box[i].level >= f->levels)
			f->levels = f->box[i].level + 1;
	}
}

static void walk(struct layout *l)
{
	arena_scope(scratch);
	struct row row;

	rows_begin(l->rows, &scratch);
	enter(l, 0, 0);
	while (rows_next(l->rows, &row)) {
		while (l->level > row.same)
			leave(l);
		for (size_t i = row.same; i < row.n; i++)
			enter(l, (uint32_t)i + 1, row.name[i]);
		add_row(l, &row);
	}
	while (l->level)
		leave(l);
	leave_root(l);
}

static void begin(struct flame *f, size_t names, const struct flame_opts *opts,
                  struct arena *arena)
{
	*f = (struct flame){ .arena = arena,
		             .series = opts->series,
		             .nseries = opts->nseries };
	f->names = arena_new(arena, struct share *, f->nseries);
	for (size_t k = 0; k < f->nseries; k++)
		f->names[k] = arena_new(arena, struct share, names);
}

/*
 * Reserves room for all boxes at once, because growing the array would copy it.  Boxes without
 * names need room, too.
 */
static void make_room(struct flame *f, size_t boxes)
{
	size_t n = boxes + boxes / 4 + 1;

	arena_fit(f->arena, f->box, n, f->cap);
	arena_fit(f->arena, f->share, n * f->nseries, f->shares_cap);
}

/* Sets the scale of each series.  Without factors, all series have the same width. */
static void set_scales(struct layout *l, const struct flame_opts *opts)
{
	double most = 0;

	l->scale = arena_new(l->scratch, double, opts->nseries);
	for (size_t k = 0; opts->factor && k < opts->nseries; k++)
		most = fmax(most, opts->factor[k] * weight_value(rows_sum(l->rows, k)));
	for (size_t k = 0; k < opts->nseries; k++) {
		double all = weight_value(rows_sum(l->rows, k));

		if (opts->factor && most > 0)
			l->scale[k] = opts->factor[k] / most * FLAME_SHARE;
		else if (all > 0)
			l->scale[k] = 1 / all * FLAME_SHARE;
	}
}

/* Closes the last open box, and adds its heaviness() to `widest`. */
static void leave_width(struct layout *l, struct widest *widest)
{
	struct open *o = &l->open[l->level];
	size_t n = l->f->nseries;
	struct share *share = &l->share[l->level-- * n], *below = share - n;

	for (size_t k = 0; k < n; k++) {
		add(&o->width, width_of(l, k, share[k].self));
		add(&below[k].total, share[k].total);
	}
	add(&o[-1].width, o->width);
	widest_add(widest, heaviness(l, o, share));
}

/*
 * Sets l->limit so that at most `most` boxes have a heaviness() above l->limit.  Returns the number
 * of boxes that may be kept.
 */
static size_t set_limit(struct layout *l, size_t most)
{
	struct widest widest = { .most = most, .arena = l->scratch };
	arena_scope(scratch);
	struct row row;

	rows_begin(l->rows, &scratch);
	enter_width(l, 0);
	while (rows_next(l->rows, &row)) {
		struct share *share;

		while (l->level > row.same)
			leave_width(l, &widest);
		for (size_t i = row.same; i < row.n; i++)
			enter_width(l, (uint32_t)i + 1);
		share = &l->share[l->level * l->f->nseries + row.series];
		add(&share->total, row.weight);
		if (!l->chart)
			add(&share->self, row.weight);
		else
			add(&l->open[l->level].width,
			    width_of(l, row.series, row.weight));
	}
	while (l->level)
		leave_width(l, &widest);
	if (widest.all <= most)
		return widest.all;
	l->limit = widest_limit(&widest);
	return most;
}

static struct layout prepare(struct flame *f, struct rows *rows, size_t names,
                             const struct flame_opts *opts, struct arena *arena,
                             struct arena *scratch)
{
	struct layout l = { .f = f,
		            .rows = rows,
		            .chart = rows->chart,
		            .reversed = opts->reversed,
		            .least = INFINITY,
		            .least_share = INFINITY,
		            .scratch = scratch };

	l.on_path = arena_new(scratch, uint32_t, names);
	set_scales(&l, opts);
	begin(f, names, opts, arena);
	return l;
}

void flame_count(struct flame *f, struct rows *rows, size_t names,
                 const struct flame_opts *opts, struct arena *arena)
{
	arena_scope(scratch);
	struct layout l = prepare(f, rows, names, opts, arena, &scratch);

	walk(&l);
}

void flame_layout(struct flame *f, struct rows *rows, size_t names,
                  const struct flame_opts *opts, struct arena *arena)
{
	arena_scope(scratch);
	struct layout l = prepare(f, rows, names, opts, arena, &scratch);
	struct weight sum = f->nseries > 1 ? opts->sum : rows_sum(rows, 0);
	struct weight wanted = opts->total;
	size_t boxes = 0;

	/*
	 * The shares of stacks are rounded, so the exact sum of several series is known
	 * only after a walk over all stacks.
	 */
	if (f->nseries > 1 && weight_value(sum) <= 0) {
		walk(&l);
		sum = f->sum;
		begin(f, names, opts, arena);
	}
	f->total = weight_value(wanted) > weight_value(sum) ? wanted : sum;
	if (opts->most)
		boxes = set_limit(&l, opts->most);
	make_room(f, boxes);
	l.least = opts->least * weight_value(f->total);
	l.least_share = opts->least;
	walk(&l);
	f->least = l.limit > opts->least ? l.limit : opts->least;
}
