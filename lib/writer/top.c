#include "writer/top.h"

#include <stdlib.h>

#include "base/table.h"
#include "writer/caption.h"
#include "writer/unit.h"

enum { BAR = 20, MODULE_WIDTH = 32 };

struct row {
	uint32_t group;
	struct sum sum;
	struct weight most; /* of the following fields */
	struct str kind, module;
};

struct top {
	const struct fold *f;
	const struct top_opts *opts;
	struct unit unit;
	double whole; /* weight of all samples */
	struct groups groups;
	struct row *row;
	size_t n;
	struct arena *scratch;
};

const char *top_column(enum group_by by)
{
	static const char *const names[] = {
		[GROUP_FUNCTION] = "function", [GROUP_MODULE] = "module",
		[GROUP_COMM] = "comm",         [GROUP_PROCESS] = "process",
		[GROUP_KIND] = "kind",         [GROUP_LINE] = "file:line",
	};

	return names[by];
}

static int by_weight(const void *pa, const void *pb, void *ctx)
{
	const struct top *t = ctx;
	const struct row *a = pa, *b = pb;
	int order = weight_compare(b->sum.self, a->sum.self);

	if (!order)
		order = weight_compare(b->sum.total, a->sum.total);
	if (!order)
		order = str_cmp(intern_str(&t->groups.names, a->group),
		                intern_str(&t->groups.names, b->group));
	return order;
}

/* If a function is in several files, the one with the most weight is shown. */
static void offer(struct row *row, struct weight w, struct str kind, struct str module)
{
	int order = weight_compare(w, row->most);

	if (!order)
		order = str_cmp(row->module, module);
	if (!order)
		order = str_cmp(row->kind, kind);
	if (row->module.n && order <= 0)
		return;
	row->most = w;
	row->kind = kind;
	row->module = module;
}

/* The frames of one function, by file and kind. */
struct spot {
	uint32_t group, module, kind;
	struct weight weight;
};

struct spots {
	struct spot *spot;
	size_t n, cap;
	struct table index;
	struct arena *arena;
};

static void add_spot(struct spots *s, struct spot new)
{
	uint32_t *at = table_at(&s->index, s->arena, new.group,
	                        (uint64_t) new.module << 32 | new.kind);
	struct weight *sum;

	s->spot = arena_grow(s->arena, s->spot, &s->cap, s->n + 1, sizeof(*s->spot));
	if (!*at) {
		s->spot[s->n++] = new;
		*at = (uint32_t)s->n;
		return;
	}
	sum = &s->spot[*at - 1].weight;
	*sum = weight_sum(*sum, new.weight);
}

/* rows: by group, as no row is in its place yet. */
static void find_modules(struct top *t, struct row *rows)
{
	const struct stacks *s = &t->f->stacks;
	struct weight *total = sums_totals(s, t->scratch);
	struct spots spots = { .arena = t->scratch };
	struct groups module, kind;

	group_nodes(&module, t->f, GROUP_MODULE, t->scratch);
	group_nodes(&kind, t->f, GROUP_KIND, t->scratch);
	for (size_t i = 1; i < s->n; i++)
		if (t->groups.of[i] != t->groups.no_frames)
			add_spot(&spots, (struct spot){ t->groups.of[i], module.of[i],
			                                kind.of[i], total[i] });
	for (size_t i = 0; i < spots.n; i++)
		offer(&rows[spots.spot[i].group], spots.spot[i].weight,
		      intern_str(&kind.names, spots.spot[i].kind),
		      intern_str(&module.names, spots.spot[i].module));
}

/* A group that is on no stack has no row. */
static void make_rows(struct top *t)
{
	struct sum *sum;
	size_t ngroups;

	group_nodes(&t->groups, t->f, t->opts->by, t->scratch);
	ngroups = t->groups.names.n;
	sum = group_sums(&t->groups, &t->f->stacks, t->scratch);
	t->row = arena_new(t->scratch, struct row, ngroups);
	if (t->opts->by == GROUP_FUNCTION)
		find_modules(t, t->row);
	for (uint32_t i = 1; i < ngroups; i++) {
		if (weight_value(sum[i].total) <= 0)
			continue;
		t->row[t->n] = t->row[i];
		t->row[t->n].group = i;
		t->row[t->n++].sum = sum[i];
	}
	qsort_r(t->row, t->n, sizeof(*t->row), by_weight, t);
}

static double share(const struct top *t, struct weight w)
{
	return t->whole > 0 ? 100 * weight_value(w) / t->whole : 0;
}

static void put_fields(struct out *o, const struct top *t, const struct row *row)
{
	char self[WEIGHT_DIGITS], total[WEIGHT_DIGITS];
	struct str digits[] = { weight_digits(row->sum.self, self),
		                weight_digits(row->sum.total, total) };

	out_fmt(o, PRSTR "\t%.2f\t" PRSTR "\t%.2f\t" PRSTR "\t", STRARG(digits[0]),
	        share(t, row->sum.self), STRARG(digits[1]), share(t, row->sum.total),
	        STRARG(t->unit.name));
	if (t->opts->by == GROUP_FUNCTION)
		out_fmt(o, PRSTR "\t" PRSTR "\t", STRARG(row->kind),
		        STRARG(caption_clean(t->scratch, row->module)));
}

/* 5.31 s  40.8 %  ######## */
static void put_weight(struct out *o, const struct top *t, struct weight w)
{
	char digits[WEIGHT_DIGITS];
	struct str text = unit_format(&t->unit, weight_value(w), weight_digits(w, digits),
	                              t->scratch);

	out_fmt(o, "%*s" PRSTR "%7.1f %%", text.n < 16 ? (int)(16 - text.n) : 1, "",
	        STRARG(text), share(t, w));
}

static struct str short_module(const struct top *t, const struct row *row)
{
	struct str base = row->module.n && row->module.p[0] == '['
	                          ? row->module
	                          : str_base(row->module);

	return str_head(caption_clean(t->scratch, base), MODULE_WIDTH);
}

static void put_aligned(struct out *o, const struct top *t, const struct row *row,
                        size_t width)
{
	static const char bar[] = "####################";
	int full = (int)(share(t, row->sum.self) * BAR / 100 + 0.5);

	put_weight(o, t, row->sum.self);
	out_fmt(o, "  %-*.*s", BAR, full, bar);
	put_weight(o, t, row->sum.total);
	out_str(o, STR("  "));
	if (t->opts->by == GROUP_FUNCTION) {
		struct str module = short_module(t, row);

		out_fmt(o, "%-9.*s" PRSTR "%*s", (int)row->kind.n,
		        row->kind.n ? row->kind.p : "", STRARG(module),
		        (int)(width - module.n) + 2, "");
	}
}

static void put_head(struct out *o, const struct top *t, size_t width)
{
	bool functions = t->opts->by == GROUP_FUNCTION;
	const char *name = top_column(t->opts->by);

	if (!t->opts->aligned)
		out_fmt(o, "self\tself%%\ttotal\ttotal%%\tunit\t%s%s\n",
		        functions ? "kind\tmodule\t" : "", name);
	else if (functions)
		out_fmt(o, "%25s  %-*s%25s  %-9s%-*s  %s\n", "self", BAR, "", "total",
		        "kind", (int)width, "module", name);
	else
		out_fmt(o, "%25s  %-*s%25s  %s\n", "self", BAR, "", "total", name);
}

size_t top_write(struct out *o, const struct fold *f, const struct head *h,
                 const struct top_opts *opts, struct arena *scratch)
{
	struct top t = { .f = f,
		         .opts = opts,
		         .unit = { .name = h->unit.n ? h->unit : STR("samples") },
		         .scratch = scratch };
	size_t shown, width = strlen("module");

	t.whole = weight_value(sums_totals(&f->stacks, scratch)[0]);
	make_rows(&t);
	shown = opts->most && opts->most < t.n ? opts->most : t.n;
	for (size_t i = 0; i < shown && opts->by == GROUP_FUNCTION; i++) {
		size_t n = short_module(&t, &t.row[i]).n;

		width = n > width ? n : width;
	}
	put_head(o, &t, width);
	for (size_t i = 0; i < shown; i++) {
		struct str name = intern_str(&t.groups.names, t.row[i].group);

		if (opts->aligned)
			put_aligned(o, &t, &t.row[i], width);
		else
			put_fields(o, &t, &t.row[i]);
		out_str(o, caption_clean(scratch, name));
		out_char(o, '\n');
	}
	return t.n;
}
