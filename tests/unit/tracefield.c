/* Fields of tracepoints, in the text that perf prints of them. */
#include "reader/perftext/tracefield.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "ranges.h"

#define SWITCH                                                                           \
	"prev_comm=x next_pid=3 prev_pid=8 prev_prio=120 prev_state=R+ ==> next_comm=b " \
	"pid=9 next_pid=-1 next_prio=0x78"
#define ENTER "fd: 0x00000003, buf: 0x7ffddf9c5798, count: 0x00000340"

static bool number_is(const char *event, const char *text, const char *field,
                      int64_t want)
{
	struct trace_value v;

	return tracefield_value(str_of(event), str_of(text), str_of(field), &v) &&
	       !v.text.n && v.number == want;
}

static bool has_none(const char *event, const char *text, const char *field)
{
	struct trace_value v;

	return !tracefield_value(str_of(event), str_of(text), str_of(field), &v);
}

static void fields_are_found_by_name(void **state)
{
	struct trace_value v;

	(void)state;
	assert_true(number_is("", SWITCH, "prev_pid", 8));
	assert_true(number_is("", SWITCH, "next_pid", -1));
	assert_true(number_is("", SWITCH, "next_prio", 0x78));
	/* The pid is the comm's: the event has no such field. */
	assert_true(number_is("", SWITCH, "pid", 9));
	assert_true(tracefield_value(STR(""), STR(SWITCH), STR("prev_state"), &v));
	assert_true(str_eq(v.text, STR("R+")));
	assert_true(has_none("", SWITCH, "prev"));
	assert_true(has_none("", SWITCH, "target_cpu"));
	assert_true(has_none("", SWITCH, ""));
	assert_true(has_none("", "", "pid"));
	assert_true(has_none("", "pid=", "pid"));
	assert_true(has_none("", "pid= tid=3", "pid"));
}

static void names_end_in_a_colon_or_a_blank_too(void **state)
{
	(void)state;
	assert_true(number_is("", ENTER, "fd", 3));
	assert_true(number_is("", ENTER, "count", 0x340));
	assert_true(number_is("", "dev 8,1 ino 263 pos 0 len 4096", "len", 4096));
	/* A blank stands between other words too. */
	assert_true(has_none("", "dev 8,1 ino none", "ino"));
	assert_true(number_is("", "vec=1 [action=7]", "vec", 1));
	/* An equals sign is surer than a blank. */
	assert_true(number_is("", "comm=len 4 len=9 len 5", "len", 9));
}

static void fields_without_a_name_are_known_by_their_event(void **state)
{
	(void)state;
	assert_true(number_is("syscalls:sys_exit_read", "0x3e8", "ret", 1000));
	assert_true(
	        number_is("syscalls:sys_exit_read", "0xfffffffffffffff5", "ret", -11));
	assert_true(has_none("syscalls:sys_enter_read", ENTER, "ret"));
	assert_true(number_is("block:block_rq_complete", "8,0 WS () 1234 + 8 [0]",
	                      "nr_sector", 8));
	assert_true(has_none("block:block_plug", "[app]", "nr_sector"));
	assert_true(has_none("sched:x", "8,0 WS () 1234 + 8 [0]", "nr_sector"));
}

static void fields_that_are_numbers_are_listed(void **state)
{
	struct arena a = { 0 };
	char many[4096];

	(void)state;
	assert_true(
	        str_eq(tracefield_list(STR(""), STR(SWITCH), &a),
	               STR("next_pid, prev_pid, prev_prio, pid, next_pid, next_prio")));
	assert_true(
	        str_eq(tracefield_list(STR(""), STR(ENTER), &a), STR("fd, buf, count")));
	assert_true(str_eq(tracefield_list(STR("syscalls:sys_exit_read"), STR("0x0"), &a),
	                   STR("ret")));
	assert_false(tracefield_list(STR(""), STR("=1 : 2 a= b: c"), &a).n);
	for (size_t i = 0; i < sizeof(many); i++)
		many[i] = "field=1 "[i % 8];
	assert_within(tracefield_list(STR(""), (struct str){ many, sizeof(many) }, &a).n,
	              400, 420);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_found_by_name),
		cmocka_unit_test(names_end_in_a_colon_or_a_blank_too),
		cmocka_unit_test(fields_without_a_name_are_known_by_their_event),
		cmocka_unit_test(fields_that_are_numbers_are_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
