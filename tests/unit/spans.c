/* Marks of a table by second: lines that are read, and which of them are kept. */
#include "writer/flame/spans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static struct arena arena;
static struct spans spans;

static bool reads(const char *line)
{
	return spans_read(&spans, str_of(line), &arena);
}

static int reset(void **state)
{
	(void)state;
	arena_release(&arena);
	spans = (struct spans){ 0 };
	return 0;
}

static void a_mark_has_times_and_a_text(void **state)
{
	(void)state;
	assert_true(reads("# pfold mark from=12.340125 to=12.361 [GC gen2 Induced]\n"));
	assert_int_equal(spans.n, 1);
	assert_int_equal(spans.span->from_ns, 12340125000);
	assert_int_equal(spans.span->to_ns, 12361000000);
	assert_true(str_eq(spans.span->text, STR("GC gen2 Induced")));
	assert_true(reads("# pfold mark from=0 to=0 []"));
	assert_int_equal(spans.span[1].to_ns, 0);
	assert_int_equal(spans.span[1].text.n, 0);
}

static void damaged_marks_are_passed_over(void **state)
{
	static const char *const lines[] = {
		"# pfold mark from=1 to=2",
		"# pfold mark from=1 to=2 GC",
		"# pfold mark from=1 to=2 [GC",
		"# pfold mark from=1 to=2 GC]",
		"# pfold mark from=2 to=1 [GC]",
		"# pfold mark from=1.0000000001 to=2 [GC]",
		"# pfold mark from=1.x to=2 [GC]",
		"# pfold mark from= to=2 [GC]",
		"# pfold mark from=4000001 to=4000002 [GC]",
		"# pfold mark to=2 from=1 [GC]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_true(reads(lines[i]));
	assert_int_equal(spans.read + spans.n, 0);
	assert_false(reads("# pfold event=cpu-clock samples=1 unit=ns"));
	assert_false(reads("# pfold mark"));
	assert_false(reads("pfold mark from=1 to=2 [GC]"));
}

/* Of too many the longest are kept, and they are in the order of time. */
static void the_longest_stay(void **state)
{
	enum { MARKS = 5 * SPANS_MOST };
	char line[99];

	(void)state;
	for (int i = 0; i < MARKS; i++) {
		/* 7 is no factor of MARKS: each length comes once. */
		int length = (int)((long)i * 7 % MARKS);

		snprintf(line, sizeof(line), "# pfold mark from=%d to=%d [%d]", MARKS - i,
		         MARKS - i + length, length);
		assert_true(reads(line));
	}
	spans_sort(&spans);
	assert_int_equal(spans.read, MARKS);
	assert_int_equal(spans.n, SPANS_MOST);
	assert_true(spans.cap <= 4 * SPANS_MOST);
	for (size_t i = 0; i < spans.n; i++) {
		const struct span *s = &spans.span[i];

		assert_true(s->to_ns - s->from_ns >=
		            (uint64_t)(MARKS - SPANS_MOST) * 1000000000);
		assert_true(!i || s[-1].from_ns < s->from_ns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_mark_has_times_and_a_text, reset),
		cmocka_unit_test_setup(damaged_marks_are_passed_over, reset),
		cmocka_unit_test_setup(the_longest_stay, reset),
	};
	int ret = cmocka_run_group_tests(tests, NULL, NULL);

	arena_release(&arena);
	return ret;
}
