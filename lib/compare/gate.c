#include "compare/gate.h"

#include <stdlib.h>

#include "stack/sums.h"

enum { NUMBER = 31 }; /* maximum number of characters of a number */

/* Parses a signed number and its unit: "+5%", "-3ms", "+1000000". */
static bool parse_limit(struct gate *g, struct str s)
{
	static const struct {
		struct str name;
		double ns;
	} units[] = { { STR("ns"), 1 },
		      { STR("us"), 1e3 },
		      { STR("ms"), 1e6 },
		      { STR("s"), 1e9 } };
	char number[NUMBER + 1];
	size_t n = 1;

	if (!s.n || (*s.p != '+' && *s.p != '-'))
		return false;
	while (n < s.n && n < NUMBER && (str_is_digit(s.p[n]) || s.p[n] == '.'))
		n++;
	memcpy(number, s.p, n);
	number[n] = '\0';
	if (n == 1 || (n == 2 && s.p[1] == '.') ||
	    strchr(number, '.') != strrchr(number, '.'))
		return false;
	g->limit = strtod(number, NULL);
	s = str_trim(str_from(s, n));
	g->percent = str_eq(s, STR("%"));
	if (g->percent || !s.n)
		return true;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (str_eq(s, units[i].name)) {
			g->limit *= units[i].ns;
			g->timed = true;
			return true;
		}
	return false;
}

/* Parses the subject: "self(/x/)", "total(f)", "overall". */
static bool parse_subject(struct gate *g, struct str s)
{
	g->overall = str_eq(s, STR("overall"));
	if (g->overall)
		return true;
	g->total = str_starts(s, STR("total("));
	if ((!g->total && !str_starts(s, STR("self("))) || s.p[s.n - 1] != ')')
		return false;
	s.n--;
	g->name = str_trim(str_from(s, g->total ? 6 : 5));
	return g->name.n != 0;
}

static int open_pattern(struct gate *g, struct diag *diag)
{
	struct str pattern = { g->name.p + 1, g->name.n - 2 };
	arena_scope(a);

	if (g->name.n < 3 || g->name.p[0] != '/' || g->name.p[g->name.n - 1] != '/')
		return 0;
	g->rules = rule_open(diag);
	if (!g->rules)
		return -1;
	return rule_add(g->rules, RULE_KEEP, "fail-if",
	                arena_fmt(&a, PRSTR, STRARG(pattern)).p);
}

int gate_parse(struct gate *g, struct str text, struct diag *diag)
{
	*g = (struct gate){ .text = text };
	for (size_t at = text.n; at-- > 0;) {
		if (text.p[at] != '>' && text.p[at] != '<')
			continue;
		g->falls = text.p[at] == '<';
		if (!parse_limit(g, str_trim(str_from(text, at + 1))) ||
		    !parse_subject(g, str_trim(str_head(text, at))))
			break;
		return open_pattern(g, diag);
	}
	return diag_fatal(diag,
	                  "--fail-if '" PRSTR "': not understood; an example is "
	                  "'self(/PATTERN/) > +5%%'",
	                  STRARG(text));
}

bool gate_takes(const struct gate *g, struct str name, struct arena *scratch)
{
	const struct rule_subject subject = { .name = name };

	if (g->overall)
		return true;
	if (!g->rules)
		return str_eq(name, g->name);
	return rule_judge(g->rules, &subject, scratch).flags & RULE_IS_KEPT;
}

double gate_weight(const struct gate *g, const struct stacks *s, const str_id *name,
                   const struct interner *names, struct arena *scratch)
{
	uint8_t *takes = arena_new(scratch, uint8_t, names->n + 1);
	uint32_t *group = arena_new(scratch, uint32_t, s->n + 1);
	struct sum *sum;

	for (stack_id id = 1; id < s->n; id++) {
		str_id of = name[id];

		if (!takes[of])
			takes[of] = 1 + gate_takes(g, intern_str(names, of), scratch);
		group[id] = takes[of] - 1U;
	}
	sum = sums_by_group(s, group, 2, scratch);
	return weight_value(g->total ? sum[1].total : sum[1].self);
}

/*
 * If m moves cost between functions that the gate selects and other functions, adds the weights of
 * the other functions to `raw`.
 */
static void add_moved(const struct gate *g, double *raw, const struct contrast *c,
                      const struct findings *found, const struct moved *m,
                      struct arena *a)
{
	double *others = arena_new(a, double, c->n);
	bool inside = false;

	for (size_t i = 0; i < m->nfrom + m->nto; i++) {
		str_id name = i < m->nfrom ? m->from[i]->name : m->to[i - m->nfrom]->name;

		if (gate_takes(g, intern_str(&c->names, name), a))
			inside = true;
		else
			contrast_sum(c, found, name, others);
	}
	for (size_t k = 0; inside && k < c->n; k++)
		raw[k] += others[k];
}

enum gate_result gate_test(const struct gate *g, size_t at, const struct contrast *c,
                           const struct findings *found, struct str weight_unit,
                           const struct moved *moved, size_t nmoved,
                           struct change *change, struct arena *scratch)
{
	double *raw = arena_new(scratch, double, c->n), end;

	for (size_t k = 0; k < c->n; k++)
		raw[k] = c->profile[k].gate[at];
	for (size_t i = 0; i < nmoved && !g->overall; i++)
		add_moved(g, raw, c, found, &moved[i], scratch);
	*change = g->overall ? found->overall : contrast_test(c, found, raw);
	if ((g->timed && !str_eq(weight_unit, STR("ns"))) ||
	    (!g->percent && !g->overall && found->unit == COMPARE_SHARE))
		return GATE_UNFIT;
	if (change->verdict == VERDICT_TOO_FEW)
		return GATE_TOO_FEW;
	end = g->falls ? change->high : change->low;
	if (g->percent)
		end = contrast_percent(change, end);
	return (g->falls ? end < g->limit : end > g->limit) ? GATE_PASSED : GATE_HOLDS;
}

void gate_close(struct gate *g)
{
	rule_close(g->rules);
	g->rules = NULL;
}
