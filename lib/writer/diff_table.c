#include "writer/diff_table.h"

#include <math.h>

#include "writer/field.h"
#include "writer/json.h"

static const struct str fields[] = {
	STR("function"),    STR("module"),       STR("measure"),
	STR("old"),         STR("new"),          STR("change_percent"),
	STR("low_percent"), STR("high_percent"), STR("p"),
	STR("q"),           STR("verdict"),
};

enum { FIELDS = sizeof(fields) / sizeof(*fields), FIRST_NUMBER = 3, LAST_NUMBER = 9 };

/* The fields of a row, in output order. */
struct cells {
	struct str text[FIRST_NUMBER];
	double number[LAST_NUMBER - FIRST_NUMBER + 1];
	struct str verdict;
};

/*
 * Returns the text of the field "measure".  Comparisons of slices of one recording have their own
 * text, because they do not include the noise between recordings.
 */
static struct str measure_of(const struct diff_table *c)
{
	static const struct str within[] = { STR("self, within this run only"),
		                             STR("total, within this run only"),
		                             STR("stack, within this run only") };
	struct str measure = str_of(c->measure);

	for (size_t i = 0; c->found->within && i < 3; i++)
		if (str_starts(within[i], measure))
			return within[i];
	return measure;
}

static struct cells make_cells(const struct diff_table *c, const struct change *ch)
{
	return (struct cells){
		.text = { intern_str(&c->compare->names, ch->name),
		          c->module ? c->module[ch->name] : STR(""), measure_of(c) },
		.number = { ch->old, ch->new, contrast_percent(ch, ch->shift),
		            contrast_percent(ch, ch->low), contrast_percent(ch, ch->high),
		            ch->p, ch->q },
		.verdict = str_of(contrast_word(ch->verdict)),
	};
}

/* Returns a weight in a readable unit, such as "1.2 s". */
static struct str weight_text(const struct diff_table *c, double v, struct arena *a)
{
	struct str s;

	if (c->found->unit == COMPARE_SHARE)
		return arena_fmt(a, "%.2f %%", 100 * v);
	s = unit_format(&c->unit, v, arena_fmt(a, "%.0f", v), a);
	if (c->found->unit == COMPARE_PER_SECOND)
		s = arena_fmt(a, PRSTR "/s", STRARG(s));
	return s;
}

static struct str percent(double v, struct arena *a)
{
	return isinf(v) ? arena_fmt(a, v > 0 ? "new" : "gone")
	                : arena_fmt(a, "%+.1f %%", v);
}

static struct str interval(const struct change *ch, struct arena *a)
{
	if (!(ch->old > 0) || (ch->verdict == VERDICT_TOO_FEW && ch->low == ch->high))
		return STR("-");
	return arena_fmt(a, PRSTR " to " PRSTR,
	                 STRARG(percent(contrast_percent(ch, ch->low), a)),
	                 STRARG(percent(contrast_percent(ch, ch->high), a)));
}

struct str diff_table_percent(const struct change *ch, struct arena *a)
{
	return arena_fmt(a, PRSTR " (" PRSTR ")",
	                 STRARG(percent(contrast_percent(ch, ch->shift), a)),
	                 STRARG(interval(ch, a)));
}

static struct str names_of(const struct diff_table *c, const struct change *const *row,
                           size_t n, struct arena *a)
{
	struct str s = intern_str(&c->compare->names, row[0]->name);

	for (size_t i = 1; i < n; i++)
		s = arena_fmt(a, PRSTR ", " PRSTR, STRARG(s),
		              STRARG(intern_str(&c->compare->names, row[i]->name)));
	return s;
}

/* Returns "moved from A to B below C: 1.2 s". */
static struct str describe_moved(const struct diff_table *c, const struct moved *m,
                                 struct arena *a)
{
	return arena_fmt(a, "moved from " PRSTR " to " PRSTR " below " PRSTR ": " PRSTR,
	                 STRARG(names_of(c, m->from, m->nfrom, a)),
	                 STRARG(names_of(c, m->to, m->nto, a)),
	                 STRARG(intern_str(&c->compare->names, m->below)),
	                 STRARG(weight_text(c, m->weight, a)));
}

/* Writes the size of a group and its mean weight: "10 profiles, 1.2 s each". */
static void put_group(struct out *o, const struct diff_table *c, size_t n, double weight,
                      struct arena *a)
{
	out_fmt(o, "%zu profile%s, " PRSTR "%s", n, n == 1 ? "" : "s",
	        STRARG(weight_text(c, weight, a)), n == 1 ? "" : " each");
}

/* Writes the totals above the table. */
static void put_overall(struct out *o, const struct diff_table *c, struct arena *a)
{
	const struct change *all = &c->found->overall;
	struct diff_table whole = *c;
	struct findings plain = *c->found;

	if (plain.unit != COMPARE_PER_SECOND)
		plain.unit = COMPARE_ABSOLUTE;
	whole.found = &plain;
	put_group(o, &whole, c->compare->nold, all->old, a);
	out_str(o, STR(" -> "));
	put_group(o, &whole, c->compare->n - c->compare->nold, all->new, a);
	out_char(o, '\n');
	out_fmt(o, "overall " PRSTR ", %s\n", STRARG(diff_table_percent(all, a)),
	        contrast_word(all->verdict));
	out_fmt(o, "weights are %s%s\n", compare_name(c->found->unit),
	        c->found->unit != c->compare->opts.unit
	                ? ", because too few functions are common to the profiles"
	                : "");
	if (c->found->within)
		out_fmt(o,
		        "intervals are of %zu slices of each recording: within this run "
		        "only\n",
		        c->found->within);
	out_char(o, '\n');
}

enum { COLUMNS = 7 };

static void put_table(struct out *o, const struct diff_table *c, struct arena *a)
{
	static const char *const titles[COLUMNS] = { "old",   "new", "change", "interval",
		                                     "shows", "q",   "verdict" };
	struct str(*cell)[COLUMNS] = arena_alloc(a, c->found->nrows, sizeof(*cell));
	size_t width[COLUMNS];

	put_overall(o, c, a);
	for (size_t k = 0; k < COLUMNS; k++)
		width[k] = strlen(titles[k]);
	for (size_t i = 0; i < c->found->nrows; i++) {
		const struct change *ch = &c->found->row[i];
		struct str *to = cell[i];

		to[0] = weight_text(c, ch->old, a);
		to[1] = weight_text(c, ch->new, a);
		to[2] = percent(contrast_percent(ch, ch->shift), a);
		to[3] = interval(ch, a);
		to[4] = ch->detectable > 0 && ch->old > 0
		                ? arena_fmt(a, "%.1f %%", 100 * ch->detectable / ch->old)
		                : STR("-");
		to[5] = arena_fmt(a, "%.2g", ch->q);
		to[6] = str_of(contrast_word(ch->verdict));
		for (size_t k = 0; k < COLUMNS; k++)
			width[k] = to[k].n > width[k] ? to[k].n : width[k];
	}
	for (size_t k = 0; k < COLUMNS; k++)
		out_fmt(o, k == 6 ? "%-*s  " : "%*s  ", (int)width[k], titles[k]);
	out_fmt(o, "%s\n", strcmp(c->measure, "stack") == 0 ? "stack" : "function");
	for (size_t i = 0; i < c->found->nrows; i++) {
		for (size_t k = 0; k < COLUMNS; k++)
			out_fmt(o, k == 6 ? "%-*s  " : "%*s  ", (int)width[k],
			        cell[i][k].p);
		out_str(o, intern_str(&c->compare->names, c->found->row[i].name));
		out_char(o, '\n');
	}
}

static void put_moved(struct out *o, const struct diff_table *c, struct arena *a)
{
	for (size_t i = 0; i < c->nmoved; i++) {
		out_str(o, describe_moved(c, &c->moved[i], a));
		out_char(o, '\n');
	}
}

static void put_rows(struct out *o, const struct diff_table *c, bool csv)
{
	char between = csv ? ',' : '\t';

	for (size_t k = 0; k < FIELDS; k++) {
		if (k)
			out_char(o, between);
		out_str(o, fields[k]);
	}
	out_char(o, '\n');
	for (size_t i = 0; i < c->found->nrows; i++) {
		struct cells cells = make_cells(c, &c->found->row[i]);

		for (size_t k = 0; k < FIRST_NUMBER; k++) {
			field_put(o, cells.text[k], csv);
			out_char(o, between);
		}
		for (size_t k = FIRST_NUMBER; k <= LAST_NUMBER; k++)
			out_fmt(o, "%.10g%c", cells.number[k - FIRST_NUMBER], between);
		field_put(o, cells.verdict, csv);
		out_char(o, '\n');
	}
}

static void json_number(struct out *o, double v)
{
	if (isfinite(v))
		out_fmt(o, "%.10g", v);
	else
		out_str(o, STR("null"));
}

static void json_change(struct out *o, const struct diff_table *c,
                        const struct change *ch, bool named)
{
	struct cells cells = make_cells(c, ch);

	out_char(o, '{');
	for (size_t k = 0; named && k < FIRST_NUMBER; k++) {
		out_fmt(o, "\"" PRSTR "\":", STRARG(fields[k]));
		json_string(o, cells.text[k]);
		out_char(o, ',');
	}
	for (size_t k = FIRST_NUMBER; k <= LAST_NUMBER; k++) {
		out_fmt(o, "\"" PRSTR "\":", STRARG(fields[k]));
		json_number(o, cells.number[k - FIRST_NUMBER]);
		out_char(o, ',');
	}
	json_member(o, "", "verdict", cells.verdict);
	out_char(o, '}');
}

static void json_gates(struct out *o, const struct diff_table *c)
{
	static const char *const words[] = { [GATE_HOLDS] = "holds",
		                             [GATE_PASSED] = "passed",
		                             [GATE_TOO_FEW] = "too few profiles",
		                             [GATE_UNFIT] = "other unit" };

	for (size_t i = 0; i < c->ngates; i++) {
		json_member(o, i ? ",\n{" : "\n{", "condition", c->gate[i].gate->text);
		out_fmt(o, ",\"result\":\"%s\",\"change\":", words[c->gate[i].result]);
		json_change(o, c, &c->gate[i].change, false);
		out_char(o, '}');
	}
}

static void put_json(struct out *o, const struct diff_table *c, struct arena *a)
{
	out_fmt(o, "{\"profiles\":{\"old\":%zu,\"new\":%zu},\"unit\":\"%s\",\"event\":",
	        c->compare->nold, c->compare->n - c->compare->nold,
	        compare_name(c->found->unit));
	json_string(o, c->unit.event);
	json_member(o, ",", "weight", c->unit.name);
	out_str(o, STR(",\n\"overall\":"));
	json_change(o, c, &c->found->overall, false);
	out_str(o, STR(",\n\"functions\":["));
	for (size_t i = 0; i < c->found->nrows; i++) {
		out_str(o, i ? STR(",\n") : STR("\n"));
		json_change(o, c, &c->found->row[i], true);
	}
	out_str(o, STR("],\n\"moved\":["));
	for (size_t i = 0; i < c->nmoved; i++) {
		out_str(o, i ? STR(",\n") : STR("\n"));
		json_string(o, describe_moved(c, &c->moved[i], a));
	}
	out_str(o, STR("],\n\"gates\":["));
	json_gates(o, c);
	out_str(o, STR("]}\n"));
}

/* Writes the stack of a node, from the root. */
static void put_stack(struct out *o, const struct diff_table *c, stack_id id,
                      struct arena *a)
{
	const struct stacks *s = &c->stacks->stacks;
	size_t n = 0;
	str_id *name;

	for (stack_id up = id; up; up = s->node[up].parent)
		n++;
	name = arena_new(a, str_id, n);
	for (stack_id up = id, i = (stack_id)n; up; up = s->node[up].parent)
		name[--i] = s->node[up].name;
	for (size_t i = 0; i < n; i++) {
		if (i)
			out_char(o, ';');
		out_str(o, intern_str(&c->compare->names, name[i]));
	}
}

/*
 * Writes two counts for each stack, as difffolded.pl does: the mean per profile of each group.
 */
static void put_folded(struct out *o, const struct diff_table *c, struct arena *a)
{
	const struct moved_stacks *s = c->stacks;
	double n[2] = { (double)c->compare->nold,
		        (double)(c->compare->n - c->compare->nold) };

	out_str(o, head_line(a, &c->head, 0));
	for (size_t i = 0; i < c->found->nrows; i++)
		out_fmt(o, "# pdiff verdict\t" PRSTR "\t%s\tend\n",
		        STRARG(intern_str(&c->compare->names, c->found->row[i].name)),
		        contrast_word(c->found->row[i].verdict));
	for (stack_id id = 1; id < s->stacks.n; id++) {
		arena_scope(own);
		double w[2];

		for (int side = 0; side < 2; side++)
			w[side] = id < s->cap[side] ? round(s->weight[side][id] / n[side])
			                            : 0;
		if (w[0] > 0 || w[1] > 0) {
			put_stack(o, c, id, &own);
			out_fmt(o, " %.0f %.0f\n", w[0], w[1]);
		}
	}
}

void diff_table_write(struct out *o, const struct diff_table *c,
                      enum diff_table_form form, struct arena *scratch)
{
	switch (form) {
	case DIFF_TABLE_CSV:
	case DIFF_TABLE_TSV:
		put_rows(o, c, form == DIFF_TABLE_CSV);
		break;
	case DIFF_TABLE_JSON:
		put_json(o, c, scratch);
		break;
	case DIFF_TABLE_FOLDED:
		put_folded(o, c, scratch);
		break;
	default:
		put_table(o, c, scratch);
		put_moved(o, c, scratch);
	}
}
