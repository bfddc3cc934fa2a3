/* What --pid, --time and their kin choose. */
#include "symbol/select.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct select sel;
static struct attr attr;
static struct event ev;
static struct sample sample;

static int enter(void **state)
{
	(void)state;
	sel = (struct select){ 0 };
	attr = (struct attr){ .name = STR("cycles:ppp") };
	ev = (struct event){ .cpu = 2, .has_time = true, .attr = &attr };
	ev.time_ns = 1500000000;
	sample = (struct sample){
		.ev = &ev, .comm = STR("two words"), .pid = 10, .tid = 11
	};
	return 0;
}

/* Is the sample wanted by that list? */
static bool wants(enum select_by by, const char *list)
{
	enum select_by lacking = SELECT_KINDS;
	bool wanted;

	sel = (struct select){ 0 };
	assert_true(select_by(&sel, by, list));
	wanted = select_wants(&sel, &sample, &lacking);
	assert_int_equal(lacking, SELECT_KINDS);
	return wanted;
}

static void lists_hold_whole_names_and_numbers(void **state)
{
	(void)state;
	assert_true(wants(SELECT_COMM, "a,two words"));
	assert_false(wants(SELECT_COMM, "two"));
	assert_false(wants(SELECT_COMM, "two words "));
	assert_true(wants(SELECT_PID, "9,10"));
	assert_false(wants(SELECT_PID, "1,0"));
	assert_true(wants(SELECT_TID, "11,10"));
	assert_false(wants(SELECT_TID, "10"));
	assert_true(wants(SELECT_CPU, "0,1-3"));
	assert_true(wants(SELECT_CPU, "2-2"));
	assert_false(wants(SELECT_CPU, "0-1,3"));
}

static void events_match_with_and_without_modifiers(void **state)
{
	(void)state;
	assert_true(wants(SELECT_EVENT, "instructions,cycles"));
	assert_true(wants(SELECT_EVENT, "cycles:ppp"));
	assert_false(wants(SELECT_EVENT, "cycles:p"));
	assert_false(wants(SELECT_EVENT, "cycle"));
	attr.name = STR("sched:sched_switch");
	assert_true(wants(SELECT_EVENT, "sched:sched_switch"));
	assert_false(wants(SELECT_EVENT, "sched"));
	attr.name = STR("cpu/event=0x3c,umask=1/u");
	assert_true(wants(SELECT_EVENT, "cycles,cpu/event=0x3c,umask=1/u"));
	assert_false(wants(SELECT_EVENT, "umask=1/u"));
}

static void both_ends_of_a_time_belong_to_it(void **state)
{
	(void)state;
	assert_true(wants(SELECT_TIME, "1.5,1.5"));
	assert_true(wants(SELECT_TIME, "1.5,"));
	assert_true(wants(SELECT_TIME, ",1.500000000"));
	assert_true(wants(SELECT_TIME, ","));
	assert_false(wants(SELECT_TIME, ",1.499999999"));
	assert_false(wants(SELECT_TIME, "1.500000001,"));
	assert_true(wants(SELECT_TIME, "1.05,2"));
	ev.time_ns = 0;
	assert_true(wants(SELECT_TIME, "1,2"));
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const numbers[] = { "",   ",", "1x",  "1,,2", "-1",
		                               "1-", "-", "2-1", "1 2",  "x" };
	static const char *const times[] = {
		"",      "5",    "2,1",     "1,2,3",
		"1x,",   ",1 x", "10%/0",   "1.1234567891,",
		"1 2,3", "-1,",  "1,2 2,4", "99999999999999999999,"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		assert_false(select_by(&sel, SELECT_PID, numbers[i]));
		assert_false(select_by(&sel, SELECT_CPU, numbers[i]));
		assert_false(select_by(&sel, SELECT_STACK, numbers[i]));
	}
	assert_false(select_by(&sel, SELECT_TID, "1-2"));
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		assert_false(select_by(&sel, SELECT_TIME, times[i]));
	assert_false(select_by(&sel, SELECT_COMM, ""));
}

static void what_is_not_said_does_not_match(void **state)
{
	enum select_by lacking = SELECT_KINDS;

	(void)state;
	ev.cpu = -1;
	assert_true(select_by(&sel, SELECT_CPU, "0-9"));
	assert_false(select_wants(&sel, &sample, &lacking));
	assert_int_equal(lacking, SELECT_CPU);
	assert_string_equal(select_option(lacking), "--cpu");
}

/* The n lines behind the first are frames; returns how many are kept. */
static size_t keep(const char *raw, size_t n, const char *max)
{
	struct frame frames[8] = { 0 };
	struct str rest = str_of(raw);
	size_t left_out;

	ev.raw = rest;
	ev.frames = frames;
	ev.nframes = n;
	str_cut(&rest, '\n');
	for (size_t i = 0; i < n; i++)
		frames[i].line = str_cut(&rest, '\n');
	assert_true(select_by(&sel, SELECT_STACK, max));
	left_out = select_frames(&sel, &ev);
	assert_int_equal(ev.nframes + left_out, n);
	return ev.nframes;
}

static void inlined_and_source_lines_are_no_frames(void **state)
{
	static const char raw[] = "a 1 1.0: c:\n"
	                          "\t10 in (inlined)\n"
	                          "\t10 f (/x)\n"
	                          "  f.c:3\n"
	                          "\t20 in (inlined)\n"
	                          "\t20 g (/x)\n"
	                          "\t30 h (/x)\n\n";

	(void)state;
	assert_int_equal(keep(raw, 6, "0"), 0);
	assert_int_equal(keep(raw, 6, "1"), 3);
	assert_int_equal(keep(raw, 6, "2"), 5);
	assert_int_equal(keep(raw, 6, "3"), 6);
	assert_int_equal(keep(raw, 6, "9"), 6);
}

static void tracepoints_are_told_by_type_or_name(void **state)
{
	(void)state;
	assert_false(select_is_tracepoint(&attr));
	attr.name = STR("sched:sched_switch");
	assert_true(select_is_tracepoint(&attr));
	attr.sample_type = 7;
	assert_false(select_is_tracepoint(&attr));
	attr.type = 2;
	assert_true(select_is_tracepoint(&attr));
	attr = (struct attr){ .name = STR("cpu/cycles:x/") };
	assert_false(select_is_tracepoint(&attr));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, enter)
	const struct CMUnitTest tests[] = {
		TEST(lists_hold_whole_names_and_numbers),
		TEST(events_match_with_and_without_modifiers),
		TEST(both_ends_of_a_time_belong_to_it),
		TEST(what_is_no_list_is_refused),
		TEST(what_is_not_said_does_not_match),
		TEST(inlined_and_source_lines_are_no_frames),
		TEST(tracepoints_are_told_by_type_or_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
