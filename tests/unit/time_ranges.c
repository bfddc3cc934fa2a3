/* Stretches of time: seconds, and shares of a profile's time. */
#include "symbol/time_ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct time_ranges times;

/* Of a profile from 1000 to 2000 ns. */
static bool parse(const char *text)
{
	return time_ranges_parse(&times, str_of(text), 1000, 2000, false);
}

static void is(size_t i, uint64_t start, uint64_t stop)
{
	assert_true(i < times.n);
	assert_int_equal(times.range[i].start, start);
	assert_int_equal(times.range[i].stop, stop);
}

static void seconds(void **state)
{
	(void)state;
	assert_true(parse("1.5,2"));
	is(0, 1500000000, 2000000000);
	assert_true(parse("1.5,"));
	is(0, 1500000000, 0);
	assert_true(parse(",0.000000002"));
	is(0, 0, 2);
	assert_true(parse("1,2  3,4"));
	is(0, 1000000000, 2000000000);
	is(1, 3000000000, 4000000000);
	assert_true(time_ranges_parse(&times, STR("0,0.5"), 7, 9, true));
	is(0, 7, 500000007);
	assert_true(time_ranges_parse(&times, STR("1,"), 7, 9, true));
	is(0, 1000000007, 0);
}

static void shares(void **state)
{
	(void)state;
	assert_true(time_ranges_are_shares(STR("10%")));
	assert_false(time_ranges_are_shares(STR("10,")));
	assert_true(parse("10%"));
	is(0, 1000, 1099);
	assert_true(parse("10%/2,10%/10"));
	is(0, 1100, 1199);
	is(1, 1900, 2000);
	assert_true(parse("0%-12.5%,50%-100%"));
	is(0, 1000, 1124);
	is(1, 1500, 2000);
	assert_true(parse("100%"));
	is(0, 1000, 2000);
}

static void nonsense(void **state)
{
	static const char *const bad[] = {
		"",
		"1",
		"1,2,3",
		"2,1",
		"1,2 2,3",
		"1.0000000001,2",
		"x,1",
		"1,2x",
		"%",
		"x%",
		"110%",
		"10%/0",
		"10%/11",
		"10%/x",
		"10%-",
		"-10%",
		"0%",
		"10%x",
		"nan%",
		"10%/-1",
		"1e9%1",
		"10%--1%",
		"18446744073709551615,",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (parse(bad[i]))
			fail_msg("%s", bad[i]);
}

static void at_most_so_many(void **state)
{
	char text[4 * (TIME_RANGES + 1)];

	(void)state;
	for (size_t i = 0; i <= TIME_RANGES; i++)
		memcpy(text + 3 * i, "1%,", 3);
	assert_true(time_ranges_parse(&times, (struct str){ text, 3 * TIME_RANGES }, 0, 9,
	                              false));
	assert_int_equal(times.n, TIME_RANGES);
	assert_false(time_ranges_parse(&times, (struct str){ text, 3 * TIME_RANGES + 2 },
	                               0, 9, false));
}

static void holds(void **state)
{
	(void)state;
	assert_true(parse("1,2 5,"));
	assert_true(time_ranges_hold(&times, 1000000000));
	assert_true(time_ranges_hold(&times, 2000000000));
	assert_true(time_ranges_hold(&times, 9000000000));
	assert_true(time_ranges_hold(&times, 0)); /* not known */
	assert_false(time_ranges_hold(&times, 999999999));
	assert_false(time_ranges_hold(&times, 2000000001));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seconds),  cmocka_unit_test(shares),
		cmocka_unit_test(nonsense), cmocka_unit_test(at_most_so_many),
		cmocka_unit_test(holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
