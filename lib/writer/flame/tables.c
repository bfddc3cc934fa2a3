#include "writer/flame/tables.h"

#include <stdlib.h>

#include "writer/flame/xml.h"

enum {
	ENDING = 46,
	OTHERS = 44,
	BLOCK = 64,
	HEADS = 24, /* number of values that the first digit of a run's head can have */
};

/*
 * The digits: characters that have no meaning in XML.  ']' is excluded, because "]]>" ends a
 * CDATA section.
 */
static const char digits[] = "!\"#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "[\\^_`abcdefghijklmnopqrstuvwxyz{|}~";

void tables_open(struct tables *t, const char *name)
{
	out_fmt(t->out, "<metadata class=\"%s\"><![CDATA[", name);
}

void tables_close(struct tables *t)
{
	out_str(t->out, STR("]]></metadata>\n"));
}

typedef unsigned __int128 wide;

static void put_number(struct tables *t, wide v)
{
	while (v >= ENDING) {
		out_char(t->out, digits[ENDING + (unsigned)(v % OTHERS)]);
		v /= OTHERS;
	}
	out_char(t->out, digits[(unsigned)v]);
}

void tables_number(struct tables *t, uint64_t v)
{
	put_number(t, v);
}

static wide whole(const struct tables *t, struct weight w)
{
	return t->fractions ? (wide)w.n * WEIGHT_ONE + w.fraction : w.n;
}

static void put_weight(struct tables *t, struct weight w)
{
	put_number(t, whole(t, w) / t->divisor);
}

/* Sets the scale to the greatest number that divides all weights without a remainder. */
static void find_scale(struct tables *t)
{
	const struct flame *f = t->f;

	t->fractions = f->fractions;
	t->divisor = f->divisor;
	if (f->nseries == 1)
		t->divisor = flame_divisor(whole(t, weight_difference(f->total, f->sum)),
		                           t->divisor);
	for (size_t i = 0; i < f->nslots; i++)
		t->divisor = flame_divisor(whole(t, f->slot[i].weight), t->divisor);
	if (!t->divisor)
		t->divisor = 1;
	t->scale = t->fractions ? (struct weight){ (uint64_t)(t->divisor / WEIGHT_ONE),
		                                   (uint32_t)(t->divisor % WEIGHT_ONE) }
	                        : (struct weight){ (uint64_t)t->divisor, 0 };
}

static void add(struct weight *to, struct weight w)
{
	*to = weight_sum(*to, w);
}

/*
 * Adds the weights of frame i to its name.  outermost is true if no caller of the frame has the
 * same name.
 */
static void count_frame(struct tables *t, size_t series, size_t i, bool outermost)
{
	const struct box *b = &t->f->box[i];
	const struct share *of = flame_share(t->f, i, series);
	struct share *name = &t->drawn[series][b->name];

	/*
	 * If stacks are merged from the leaf, the boxes on level 1 are the leaves of the
	 * stacks, so their totals are self weights.
	 */
	if (!t->reversed)
		add(&name->self, of->self);
	else if (b->level == 1)
		add(&name->self, of->total);
	if (outermost)
		add(&name->total, of->total);
}

/*
 * Sums the weights of each name over the boxes that are drawn.  open[] has an element for each
 * name.
 */
static void count_drawn(struct tables *t, size_t series, str_id *path, uint32_t *open)
{
	const struct flame *f = t->f;
	uint32_t level = 0;

	for (size_t i = 1; i < f->n; i++) {
		const struct box *b = &f->box[i];

		for (; level >= b->level; level--)
			open[path[level]]--;
		level = b->level;
		path[level] = b->name;
		open[b->name]++;
		if (b->kind == BOX_FRAME)
			count_frame(t, series, i, open[b->name] == 1);
		if (b->kind == BOX_OWN)
			add(&t->drawn[series][path[level - 1]].self, b->total);
	}
}

static void sum_up(struct tables *t)
{
	str_id *path = arena_new(&t->scratch, str_id, t->f->levels + 1u);

	t->drawn = arena_new(&t->scratch, struct share *, t->f->nseries);
	for (size_t k = 0; k < t->f->nseries; k++) {
		uint32_t *open = arena_new(&t->scratch, uint32_t, t->nshown);

		t->drawn[k] = arena_new(&t->scratch, struct share, t->nshown);
		open[0] = 1;
		count_drawn(t, k, path, open);
	}
}

static bool is_heavy(const struct tables *t, size_t name)
{
	for (size_t k = 0; k < t->f->nseries; k++) {
		double total = weight_value(t->f->names[k][name].total);
		double all = weight_value(flame_share(t->f, 0, k)->total);

		if (total > 0 && total >= t->least * all)
			return true;
	}
	return false;
}

void tables_begin(struct tables *t)
{
	sum_up(t);
	find_scale(t);
	for (size_t i = 0; i < t->f->n; i++)
		t->shown[t->f->box[i].name].used |= t->f->box[i].kind == BOX_FRAME;
	for (size_t i = 1; i < t->nshown; i++)
		t->shown[i].used |= is_heavy(t, i);
	t->shown[0].used = false;
}

double tables_share(const struct tables *t, size_t series, enum sort sort)
{
	double all = weight_value(flame_share(t->f, 0, series)->total);
	struct weight sum = { 0 };

	for (size_t i = 1; i < t->nshown; i++)
		if (t->shown[i].used && t->shown[i].sort == sort)
			add(&sum, t->f->names[series][i].self);
	return all > 0 ? weight_value(sum) / all : 0;
}

str_id tables_hottest(const struct tables *t, size_t series, double *share)
{
	double all = weight_value(flame_share(t->f, 0, series)->total), most = 0,
	       unlisted = 0;
	str_id hottest = 0;

	for (size_t i = 1; i < t->nshown; i++) {
		double self = weight_value(t->f->names[series][i].self);

		if (!t->shown[i].used && self > unlisted)
			unlisted = self;
		if (!t->shown[i].used || self < most || self <= 0)
			continue;
		if (self > most ||
		    str_cmp(t->shown[i].text, t->shown[hottest].text) < 0) {
			hottest = (str_id)i;
			most = self;
		}
	}
	*share = all > 0 ? most / all : 0;
	return unlisted > most ? 0 : hottest;
}

static int by_text(const void *a, const void *b, void *ctx)
{
	const struct tables *t = ctx;
	str_id x = *(const str_id *)a, y = *(const str_id *)b;
	int order = str_cmp(t->shown[x].text, t->shown[y].text);

	return order ? order : x < y ? -1 : x > y;
}

/*
 * Returns the length of the common prefix.  The prefix ends before the first byte that is not
 * ASCII, because the script counts characters instead of bytes.
 */
static size_t shared(struct str a, struct str b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && n < ENDING + OTHERS - 1 && a.p[n] == b.p[n] &&
	       (signed char)a.p[n] > 0)
		n++;
	return n;
}

static void put_names(struct tables *t)
{
	struct str before = { 0 };

	out_str(t->out, STR("<metadata class=\"names\">"));
	for (size_t i = 0; i < t->used; i++) {
		const struct shown *s = &t->shown[t->order[i]];
		size_t same = i % BLOCK ? shared(before, s->text) : 0;

		if (i)
			out_char(t->out, '\n');
		out_char(t->out, digits[same]);
		out_char(t->out, (char)('a' + s->sort));
		if (s->fixed)
			out_fmt(t->out, "~%02x%02x%02x", s->color.r, s->color.g,
			        s->color.b);
		else
			out_char(t->out, digits[(t->by_sort ? 0 : s->group) *
			                                (PALETTE_SHADES + 1) +
			                        s->shade]);
		xml_text(t->out, str_from(s->text, same));
		before = s->text;
	}
	out_str(t->out, STR("</metadata>\n"));
}

/* Writes the number of a name.  All names have as many digits as the highest number needs. */
static void put_name(struct tables *t, uint32_t number)
{
	for (size_t most = 1; most < t->used; most *= ENDING + OTHERS) {
		out_char(t->out, digits[number % (ENDING + OTHERS)]);
		number /= ENDING + OTHERS;
	}
}

/* State while the tree is written. */
struct run {
	/* indexed by level and series: sum of the previous siblings' weights */
	struct weight *covered;
	uint32_t level;
	size_t from; /* index of the first box that was not yet written */
};

static struct weight less(struct weight a, struct weight b)
{
	bool more = b.n > a.n || (b.n == a.n && b.fraction > a.fraction);

	return more ? (struct weight){ 0 } : weight_difference(a, b);
}

static struct weight own(const struct tables *t, const struct box *b, size_t k)
{
	return flame_share(t->f, (size_t)(b - t->f->box), k)->self;
}

static struct weight through(const struct tables *t, const struct box *b, size_t k)
{
	return flame_share(t->f, (size_t)(b - t->f->box), k)->total;
}

/*
 * Returns the weight of the parent's omitted children.  The other children must have been
 * written.
 */
static struct weight sum_omitted(const struct tables *t, const struct run *r,
                                 const struct box *parent, uint32_t level, size_t k)
{
	struct weight rest = less(through(t, parent, k), own(t, parent, k));

	return less(rest, r->covered[level * t->f->nseries + k]);
}

static bool has_own(const struct tables *t, const struct box *b)
{
	for (size_t k = 0; k < t->f->nseries; k++)
		if (weight_value(own(t, b, k)) > 0)
			return true;
	return false;
}

static void cover(const struct tables *t, struct run *r, const struct box *b)
{
	for (size_t k = 0; k < t->f->nseries; k++) {
		struct weight *here = &r->covered[b->level * t->f->nseries + k];

		here[t->f->nseries] = (struct weight){ 0 };
		*here = weight_sum(*here, through(t, b, k));
	}
}

/*
 * Returns the weight of the last box of a run (see run_length).  For a frame, this is the self
 * weight.
 */
static struct weight last_weight(const struct tables *t, const struct run *r,
                                 const struct box **parents, const struct box *b,
                                 size_t k)
{
	if (b->kind == BOX_FRAME)
		return own(t, b, k);
	return t->chart ? b->total
	                : sum_omitted(t, r, parents[b->level - 1], b->level, k);
}

/* Writes the head of a run.  A head below HEADS - 1 is one digit, others have more digits. */
static void put_run_head(struct tables *t, size_t head)
{
	put_number(t, head < HEADS - 1 ? head : HEADS - 1);
	if (head >= HEADS - 1)
		put_number(t, head - (HEADS - 1));
}

/*
 * Returns the length of the run that starts at b.  Each box of the run, except the first, is the
 * first child of the previous box.  Only the last box has self weight.
 */
static size_t run_length(const struct tables *t, const struct box *b)
{
	const struct box *last = t->f->box + t->f->n - 1;
	size_t n = 1;

	if (b->kind != BOX_FRAME)
		return 0;
	while (!has_own(t, &b[n - 1]) && &b[n - 1] < last &&
	       b[n].level == b[n - 1].level + 1 && b[n].kind == BOX_FRAME)
		n++;
	return n;
}

/*
 * Subtracts the number of the sibling's name from the number of b's name, modulo the number of
 * names.  The result is never 0, because siblings have different names.
 */
static uint32_t since(const struct tables *t, const struct box *sibling,
                      const struct box *b)
{
	uint32_t number = t->shown[b->name].number;

	return (number + (uint32_t)t->used - t->shown[sibling->name].number) %
	       (uint32_t)t->used;
}

/*
 * Writes the names of a run.  The first name is written as a difference from the name of the
 * previous sibling, except in a chart, because siblings in a chart are not sorted.
 */
static void put_run_names(struct tables *t, const struct run *r,
                          const struct box **parents, const struct box *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!i && b->level <= r->level && !t->chart)
			put_number(t, since(t, parents[b->level], b));
		else
			put_name(t, t->shown[b[i].name].number);
}

/* Advances past a run of n boxes, or past the box for omitted boxes. */
static void place_run(const struct tables *t, struct run *r, const struct box **parents,
                      const struct box *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		cover(t, r, &b[i]);
		parents[b[i].level] = &b[i];
	}
	r->level = b[n ? n - 1 : 0].level;
	r->from += n ? n : 1;
}

/*
 * Writes a run of boxes.  The head of a run is (up * 4 + n) * 2 + one.  up is the number of
 * levels that end before the run.  n is the number of boxes in the run, or 3 for three or
 * more.  one is 1 if there is a single series and the weight of the run is 1.  The head is
 * followed by the names (see put_run_names) and by the weights.  If one is 1, the weight is
 * not written.  If n is 0, the weight is that of missing boxes.
 *
 * Except in charts, a run of one box with weight 1 that follows a sibling is a single number:
 * HEADS - 1 + since().  This number is at least HEADS.  The first digit of a head is below
 * HEADS.
 */
static void put_run(struct tables *t, struct run *r, const struct box **parents)
{
	const struct box *b = &t->f->box[r->from];
	size_t n = run_length(t, b), up = r->level + 1 - b->level;
	const struct box *last = n ? &b[n - 1] : b;
	bool one = t->f->nseries == 1 &&
	           whole(t, last_weight(t, r, parents, last, 0)) == t->divisor;

	if (one && up == 1 && n == 1 && !t->chart) {
		put_number(t, HEADS - 1 + since(t, parents[b->level], b));
		place_run(t, r, parents, b, n);
		return;
	}
	put_run_head(t, (up * 4 + (n < 3 ? n : 3)) * 2 + one);
	if (!n && t->chart)
		put_number(t, b->kind == BOX_OWN);
	if (n >= 3)
		put_number(t, n - 3);
	put_run_names(t, r, parents, b, n);
	for (size_t k = 0; k < t->f->nseries && !one; k++)
		put_weight(t, last_weight(t, r, parents, last, k));
	place_run(t, r, parents, b, n);
}

static void put_tree(struct tables *t)
{
	size_t levels = t->f->levels + 2u;
	const struct box **parents = arena_new(&t->scratch, const struct box *, levels);
	struct run r = { .from = 1 };

	r.covered = arena_new(&t->scratch, struct weight, levels * t->f->nseries);
	parents[0] = t->f->box;
	tables_open(t, "tree");
	for (size_t k = 0; k < t->f->nseries; k++)
		put_weight(t, own(t, t->f->box, k));
	while (r.from < t->f->n)
		put_run(t, &r, parents);
	tables_close(t);
}

/* Returns the weights of a name in omitted boxes. */
static struct share sum_left_out(const struct tables *t, str_id name, size_t k)
{
	const struct share *all = &t->f->names[k][name], *drawn = &t->drawn[k][name];

	return (struct share){ less(all->self, drawn->self),
		               less(all->total, drawn->total) };
}

/*
 * Writes each name that has weight in omitted boxes, as two parts: the distance from the previous
 * written name, and the omitted weights.
 */
static void put_extra(struct tables *t)
{
	uint32_t last = 0;

	tables_open(t, "extra");
	for (size_t i = 0; i < t->used; i++) {
		bool any = false;

		for (size_t k = 0; k < t->f->nseries; k++) {
			struct share out = sum_left_out(t, t->order[i], k);

			any |= weight_value(out.self) > 0 || weight_value(out.total) > 0;
		}
		if (!any)
			continue;
		put_number(t, (uint32_t)i - last);
		last = (uint32_t)i;
		for (size_t k = 0; k < t->f->nseries; k++) {
			struct share out = sum_left_out(t, t->order[i], k);

			put_weight(t, out.self);
			put_weight(t, out.total);
		}
	}
	tables_close(t);
}

/*
 * Writes two numbers for each name with a verdict: the distance from the previous name with a
 * verdict, and the verdict + 1.
 */
static void put_verdicts(struct tables *t)
{
	size_t last = 0;

	tables_open(t, "verdicts");
	for (size_t i = 0; i < t->used; i++) {
		unsigned of = verdicts_of(t->verdicts, t->order[i]);

		if (!of)
			continue;
		put_number(t, i - last);
		put_number(t, of);
		last = i;
	}
	tables_close(t);
}

struct slot_box {
	uint32_t slot, box;
	struct weight weight;
};

ORDER(by_time, struct slot_box, num_cmp(a->slot, b->slot) ?: num_cmp(a->box, b->box))

/*
 * Returns an array indexed by box: the index of the box that replaces its missing children, or 0.
 */
static uint32_t *find_gaps(struct tables *t)
{
	const struct flame *f = t->f;
	uint32_t *gap = arena_new(&t->scratch, uint32_t, f->n);
	uint32_t *path = arena_new(&t->scratch, uint32_t, f->levels + 2u);

	for (size_t i = 1; i < f->n; i++) {
		const struct box *b = &f->box[i];

		if (b->kind == BOX_FRAME)
			path[b->level] = (uint32_t)i;
		else
			gap[path[b->level - 1]] = (uint32_t)i;
	}
	return gap;
}

/*
 * Writes three numbers for each slot and box: the distance from the previous slot, the number of
 * the box, and the weight.
 */
static void put_slots(struct tables *t)
{
	size_t n = t->f->nslots, kept = 0;
	struct slot_box *all = arena_new(&t->scratch, struct slot_box, n + 1);
	uint32_t *gap = n ? find_gaps(t) : NULL, last = 0;

	for (size_t i = 0; i < n; i++) {
		const struct slot *s = &t->f->slot[i];

		all[i] = (struct slot_box){ s->slot, s->left_out ? gap[s->box] : s->box,
			                    s->weight };
	}
	order_by(all, n, by_time);
	for (size_t i = 0; i < n; i++)
		if (kept && !by_time(&all[kept - 1], &all[i]))
			add(&all[kept - 1].weight, all[i].weight);
		else
			all[kept++] = all[i];
	tables_open(t, "slots");
	for (size_t i = 0; i < kept; i++) {
		put_number(t, all[i].slot - last);
		put_number(t, all[i].box);
		put_weight(t, all[i].weight);
		last = all[i].slot;
	}
	tables_close(t);
}

void tables_write(struct tables *t)
{
	t->order = arena_new(&t->scratch, str_id, t->nshown);
	for (size_t i = 1; i < t->nshown; i++)
		if (t->shown[i].used)
			t->order[t->used++] = (str_id)i;
	qsort_r(t->order, t->used, sizeof(*t->order), by_text, t);
	for (size_t i = 0; i < t->used; i++)
		t->shown[t->order[i]].number = (uint32_t)i;
	put_names(t);
	put_tree(t);
	put_extra(t);
	put_slots(t);
	if (t->verdicts)
		put_verdicts(t);
}
