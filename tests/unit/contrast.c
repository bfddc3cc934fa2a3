/*
 * The statistics of pdiff, beside those of R: ranks.tsv and factors.tsv were written by
 * tests/peers/ranks.R.  RANKS is a directory with other such tables.
 */
#include "compare/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compare/gate.h"
#include "compare/stable.h"

enum { VALUES = 4096 };

static FILE *open_table(const char *name)
{
	const char *dir = getenv("RANKS");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "tests/unit", name);
	f = fopen(path, "r");
	assert_non_null(f);
	return f;
}

/* Numbers with commas between them, up to a tab or the line's end. */
static size_t numbers(char **at, double *out)
{
	size_t n = 0;

	while (n < VALUES) {
		out[n++] = strtod(*at, at);
		if (**at != ',')
			break;
		(*at)++;
	}
	*at += **at == '\t';
	return n;
}

/* Equal to three digits. */
static void same_within(double got, double want, double most)
{
	if (fabs(got - want) > 5e-4 * fabs(want) + most)
		fail_msg("%.9g, not %.9g", got, want);
}

static void same(double got, double want)
{
	same_within(got, want, 1e-12);
}

static void ranks_are_those_of_r(void **state)
{
	FILE *f = open_table("ranks.tsv");
	char *line = NULL;
	size_t cap = 0, sets = 0;

	(void)state;
	while (getline(&line, &cap, f) > 0) {
		double old[VALUES], new[VALUES], want[4];
		char *at = line;
		size_t nold = numbers(&at, old), nnew = numbers(&at, new);
		struct arena a = { 0 };
		struct ranks_result r;

		assert_int_equal(numbers(&at, want), 4);
		r = ranks_compare(old, nold, new, nnew, 0.95, &a);
		same(r.p, want[0]);
		/* With ties, R looks for a shift to 1e-4. */
		same_within(r.shift, want[1], 1e-4);
		same_within(r.low, want[2], 1e-4);
		same_within(r.high, want[3], 1e-4);
		arena_release(&a);
		sets++;
	}
	free(line);
	fclose(f);
	assert_int_equal(sets, 200);
}

static void adjusted_are_those_of_r(void **state)
{
	FILE *f = open_table("adjusted.tsv");
	char *line = NULL;
	size_t cap = 0, sets = 0;

	(void)state;
	while (getline(&line, &cap, f) > 0) {
		double p[VALUES], want[VALUES], *q;
		char *at = line;
		size_t n = numbers(&at, p);
		struct arena a = { 0 };

		assert_int_equal(numbers(&at, want), n);
		q = ranks_adjust(p, n, &a);
		for (size_t i = 0; i < n; i++)
			same(q[i], want[i]);
		arena_release(&a);
		sets++;
	}
	free(line);
	fclose(f);
	assert_int_equal(sets, 20);
}

/* A line: profiles, the weights by function, the factors. */
static void factors_are_those_of_deseq2(void **state)
{
	FILE *f = open_table("factors.tsv");
	char *line = NULL;
	size_t cap = 0, sets = 0;

	(void)state;
	while (getline(&line, &cap, f) > 0) {
		double head[VALUES], weight[VALUES], want[VALUES], *factor;
		char *at = line;
		struct arena a = { 0 };
		size_t profiles, n;

		assert_int_equal(numbers(&at, head), 1);
		profiles = (size_t)head[0];
		n = numbers(&at, weight);
		assert_int_equal(numbers(&at, want), profiles);
		factor = compare_size_factors(weight, NULL, n / profiles, profiles, &a);
		assert_non_null(factor);
		for (size_t i = 0; i < profiles; i++)
			same(factor[i], want[i]);
		arena_release(&a);
		sets++;
	}
	free(line);
	fclose(f);
	assert_int_equal(sets, 50);
}

static void sizes_of_groups(void **state)
{
	(void)state;
	same(ranks_least_p(3, 3), 0.1);
	same(ranks_least_p(4, 4), 2.0 / 70);
	assert_int_equal(ranks_needed(0.05), 4);
	assert_int_equal(ranks_needed(0.05 / 200), 8);
	same(ranks_normal_quantile(0.975), 1.959964);
}

/* All equal numbers, which have no spread. */
static void equal_numbers(void **state)
{
	double v[] = { 5, 5, 5, 5, 5 };
	struct arena a = { 0 };
	struct ranks_result r = ranks_compare(v, 5, v, 5, 0.95, &a);

	(void)state;
	same(r.p, 1);
	same(r.shift, 0);
	arena_release(&a);
}

static void stable_names(void **state)
{
	static const char *const names[][2] = {
		{ "App.<>c__DisplayClass12_0.<Run>b__3",
		  "App.<>c__DisplayClass.<Run>b__" },
		{ "App.<Run>d__5.MoveNext", "App.<Run>d__.MoveNext" },
		{ "App.<Run>g__Parse|12_0", "App.<Run>g__Parse|" },
		{ "core::iter::next::h0123456789abcdef", "core::iter::next" },
		{ "parse.constprop.0.isra.1", "parse" },
		{ "parse.part_of.3", "parse.part_of.3" },
		{ "maps.clone", "maps.clone" },
		{ "parse.clone.3.cold", "parse" },
		{ "f.1.2", "f.1.2" },
		{ "parse.part.0.cold", "parse" },
		{ "run.llvm.12345678", "run" },
		{ "App.lambda$main$3_[j]", "App.lambda$main$" },
		{ "App$$Lambda$14/0x0000800100066840.run", "App$$Lambda$.run" },
		{ "sha256_block", "sha256_block" },
		{ "f1", "f1" },
		{ "", "" },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct str got = stable_name(str_of(names[i][0]), &a);

		if (!str_eq(got, str_of(names[i][1])))
			fail_msg("%s: " PRSTR, names[i][0], STRARG(got));
	}
	arena_release(&a);
}

static void conditions(void **state)
{
	static const char *const wrong[] = { "",
		                             "self(x) > 5%",
		                             "self() > +5%",
		                             "x > +5%",
		                             "self(x) > +5%%",
		                             "self(x) > +",
		                             "self(x > +1",
		                             "total(x) > +1.2.3",
		                             "self(/(/) > +1" };
	struct diag diag = { .prog = "unit" };
	struct arena a = { 0 };
	struct gate g;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(gate_parse(&g, str_of(wrong[i]), &diag), -1);
		gate_close(&g);
	}
	assert_int_equal(gate_parse(&g, STR("total(List<int>) < -3ms"), &diag), 0);
	assert_true(g.total && g.falls && !g.percent);
	same(g.limit, -3e6);
	assert_true(gate_takes(&g, STR("List<int>"), &a));
	assert_false(gate_takes(&g, STR("List<int>.Add"), &a));
	gate_close(&g);
	assert_int_equal(gate_parse(&g, STR("self(/^Json/)>+5%"), &diag), 0);
	assert_true(g.percent && !g.falls);
	assert_true(gate_takes(&g, STR("JsonReader"), &a));
	assert_false(gate_takes(&g, STR("NewtonsoftJson"), &a));
	gate_close(&g);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_are_those_of_r),
		cmocka_unit_test(adjusted_are_those_of_r),
		cmocka_unit_test(factors_are_those_of_deseq2),
		cmocka_unit_test(sizes_of_groups),
		cmocka_unit_test(equal_numbers),
		cmocka_unit_test(stable_names),
		cmocka_unit_test(conditions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
