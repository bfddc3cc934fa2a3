#include "writer/top.h"

#include <stdlib.h>

#include "writer/caption.h"
#include "writer/field.h"
#include "writer/json.h"
#include "writer/unit.h"

enum { BAR = 10, MODULE_WIDTH = 32 };

struct row {
	uint32_t group;
	struct sum sum;
	/* weight of the frames that have the displayed kind and module */
	struct weight most;
	struct str kind, module;
};

struct top {
	const struct fold *f;
	const struct head *head;
	const struct top_opts *opts;
	struct unit unit;
	struct weight whole;   /* weight of all samples */
	struct weight running; /* sum of the self weights so far */
	size_t module_width;   /* width of the module column if aligned */
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
		[GROUP_ASSEMBLY] = "assembly", [GROUP_NAMESPACE] = "namespace",
	};

	return names[by];
}

static int by_weight(const void *pa, const void *pb, void *ctx)
{
	const struct top *t = ctx;
	const struct row *a = pa, *b = pb;

	return weight_compare(b->sum.self, a->sum.self)
	               ?: weight_compare(b->sum.total, a->sum.total)
	               ?: str_cmp(intern_str(&t->groups.names, a->group),
	                          intern_str(&t->groups.names, b->group));
}

/*
 * Sets the kind and module of a row if w is the greatest weight so far.  w is the weight of
 * those frames of the row that have this kind and module.  If a function is in several
 * modules, its row shows only the heaviest module.
 */
static void offer(struct row *row, struct weight w, struct str kind, struct str module)
{
	int order = weight_compare(w, row->most)
	                    ?: str_cmp(row->module, module)
	                    ?: str_cmp(row->kind, kind);

	if (row->module.n && order <= 0)
		return;
	row->most = w;
	row->kind = kind;
	row->module = module;
}

/* The weight of all frames that have the same group, module and kind. */
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

	arena_fit(s->arena, s->spot, s->n + 1, s->cap);
	if (!*at) {
		s->spot[s->n++] = new;
		*at = (uint32_t)s->n;
		return;
	}
	sum = &s->spot[*at - 1].weight;
	*sum = weight_sum(*sum, new.weight);
}

/* Sets the module and kind of each row.  `rows` is indexed by group. */
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

/* Makes a row for each group with a weight. */
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
	double whole = weight_value(t->whole);

	return whole > 0 ? 100 * weight_value(w) / whole : 0;
}

static struct str name_of(const struct top *t, const struct row *row)
{
	return intern_str(&t->groups.names, row->group);
}

static void put_fields(struct out *o, const struct top *t, const struct row *row)
{
	char self[WEIGHT_DIGITS], total[WEIGHT_DIGITS];
	struct str digits[] = { weight_digits(row->sum.self, self),
		                weight_digits(row->sum.total, total) };

	out_fmt(o, PRSTR "\t%.2f\t%.2f\t" PRSTR "\t%.2f\t", STRARG(digits[0]),
	        share(t, row->sum.self), share(t, t->running), STRARG(digits[1]),
	        share(t, row->sum.total));
	if (t->opts->by == GROUP_FUNCTION)
		out_fmt(o, PRSTR "\t" PRSTR "\t", STRARG(row->kind),
		        STRARG(caption_clean(t->scratch, row->module)));
	out_fmt(o, PRSTR "\n", STRARG(caption_clean(t->scratch, name_of(t, row))));
}

/* Writes a row for other programs: the texts, then the weights in digits. */
static void put_record(struct out *o, const struct top *t, const struct row *row)
{
	struct str text[] = { name_of(t, row), row->module, row->kind };
	char self[WEIGHT_DIGITS], total[WEIGHT_DIGITS];
	struct str weight[] = { weight_digits(row->sum.self, self),
		                weight_digits(row->sum.total, total) };
	char tab = t->opts->form == TOP_CSV ? ',' : '\t';

	for (size_t i = 0; i < (t->opts->by == GROUP_FUNCTION ? 3 : 1); i++) {
		field_put(o, text[i], t->opts->form == TOP_CSV);
		out_char(o, tab);
	}
	out_fmt(o, PRSTR "%c" PRSTR "\n", STRARG(weight[0]), tab, STRARG(weight[1]));
}

static void put_object(struct out *o, const struct top *t, const struct row *row)
{
	char self[WEIGHT_DIGITS], total[WEIGHT_DIGITS];
	struct str weight[] = { weight_digits(row->sum.self, self),
		                weight_digits(row->sum.total, total) };

	out_fmt(o, "%s\n{\"%s\":", row == t->row ? "" : ",", top_column(t->opts->by));
	json_string(o, name_of(t, row));
	if (t->opts->by == GROUP_FUNCTION) {
		json_member(o, ",", "module", row->module);
		json_member(o, ",", "kind", row->kind);
	}
	out_fmt(o, ",\"self\":" PRSTR ",\"total\":" PRSTR "}", STRARG(weight[0]),
	        STRARG(weight[1]));
}

/* Writes a weight and its share: "5.31 s   40.8 %". */
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

static void put_aligned(struct out *o, const struct top *t, const struct row *row)
{
	static const char bar[] = "##########";
	int full = (int)(share(t, row->sum.self) * BAR / 100 + 0.5);

	put_weight(o, t, row->sum.self);
	out_fmt(o, "%7.1f %%  %-*.*s", share(t, t->running), BAR, full, bar);
	put_weight(o, t, row->sum.total);
	out_str(o, STR("  "));
	if (t->opts->by == GROUP_FUNCTION) {
		struct str module = short_module(t, row);

		out_fmt(o, "%-9.*s" PRSTR "%*s", (int)row->kind.n,
		        row->kind.n ? row->kind.p : "", STRARG(module),
		        (int)(t->module_width - module.n) + 2, "");
	}
	out_fmt(o, PRSTR "\n", STRARG(caption_clean(t->scratch, name_of(t, row))));
}

static void put_head(struct out *o, const struct top *t)
{
	bool functions = t->opts->by == GROUP_FUNCTION;
	const char *name = top_column(t->opts->by);
	char buf[WEIGHT_DIGITS];
	struct str whole = weight_digits(t->whole, buf);
	char tab = t->opts->form == TOP_CSV ? ',' : '\t';

	switch (t->opts->form) {
	case TOP_FIELDS:
		out_fmt(o, "self\tself%%\tsum%%\ttotal\ttotal%%\t%s%s\n",
		        functions ? "kind\tmodule\t" : "", name);
		break;
	case TOP_ALIGNED:
		out_fmt(o, "%25s%9s  %-*s%25s  ", "self", "sum", BAR, "", "total");
		if (functions)
			out_fmt(o, "%-9s%-*s  ", "kind", (int)t->module_width, "module");
		out_fmt(o, "%s\n", name);
		break;
	case TOP_CSV:
	case TOP_TSV:
		out_fmt(o, "%s%c", name, tab);
		if (functions)
			out_fmt(o, "module%ckind%c", tab, tab);
		out_fmt(o, "self%ctotal\n", tab);
		break;
	case TOP_JSON:
		out_fmt(o,
		        "{\"total\":" PRSTR ",\"samples\":%llu,\"unit\":", STRARG(whole),
		        (unsigned long long)t->head->samples);
		json_string(o, t->unit.name);
		out_str(o, STR(",\"rows\":["));
		break;
	}
}

static void find_width(struct top *t, size_t shown)
{
	t->module_width = strlen("module");
	for (size_t i = 0; i < shown && t->opts->by == GROUP_FUNCTION; i++) {
		size_t n = short_module(t, &t->row[i]).n;

		t->module_width = n > t->module_width ? n : t->module_width;
	}
}

size_t top_write(struct out *o, const struct fold *f, const struct head *h,
                 const struct top_opts *opts, struct arena *scratch)
{
	static void (*const put[])(struct out *, const struct top *,
	                           const struct row *) = {
		[TOP_FIELDS] = put_fields, [TOP_ALIGNED] = put_aligned,
		[TOP_CSV] = put_record,    [TOP_TSV] = put_record,
		[TOP_JSON] = put_object,
	};
	struct top t = { .f = f,
		         .head = h,
		         .opts = opts,
		         .unit = { .name = h->unit.n ? h->unit : STR("samples") },
		         .scratch = scratch };
	size_t shown;

	t.whole = sums_totals(&f->stacks, scratch)[0];
	make_rows(&t);
	shown = opts->most && opts->most < t.n ? opts->most : t.n;
	find_width(&t, shown);
	put_head(o, &t);
	for (size_t i = 0; i < shown; i++) {
		t.running = weight_sum(t.running, t.row[i].sum.self);
		put[opts->form](o, &t, &t.row[i]);
	}
	if (opts->form == TOP_JSON)
		out_str(o, STR("\n]}\n"));
	return t.n;
}
