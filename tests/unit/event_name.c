/* event: which of a profile's events are folded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader/event_name.h"
#include "measure/events.h"
#include "stack/head.h"

static void the_base_has_neither_pmu_nor_modifiers(void **state)
{
	static const char *const rows[][2] = {
		{ "cycles", "cycles" },
		{ "cycles:u", "cycles" },
		{ "cycles:ppp", "cycles" },
		{ "cpu-clock:pppH", "cpu-clock" },
		{ "cpu_core/cycles/P", "cycles" },
		{ "cpu_atom/cycles/P", "cycles" },
		{ "cpu_atom/cycles/", "cycles" },
		{ "cpu/cycles,name=foo/u", "foo" },
		{ "cpu/event=0x3c,umask=0x0/u", "event=0x3c,umask=0x0" },
		{ "armv8_cortex_a53/cpu_cycles/", "cpu_cycles" },
		{ "uncore_imc_0/cas_count_read/", "uncore_imc_0/cas_count_read/" },
		{ "sched:sched_switch", "sched:sched_switch" },
		{ "probe_libc:malloc", "probe_libc:malloc" },
		{ "sched:sched_switch:u", "sched:sched_switch" },
		{ "cycles:", "cycles:" },
		{ ":u", ":u" },
		{ "cpu//", "cpu//" },
		{ "/", "/" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str base = event_name_base(str_of(rows[i][0]));

		assert_int_equal(base.n, strlen(rows[i][1]));
		assert_memory_equal(base.p, rows[i][1], base.n);
	}
}

static uint64_t left_out(const struct events *e)
{
	uint64_t n = 0;

	for (size_t i = 0; i < e->cap; i++)
		n += e->seen[i].left_out;
	return n;
}

static void the_first_event_is_the_default(void **state)
{
	struct arena a = { 0 };
	struct events e;

	(void)state;
	events_init(&e, &a, NULL);
	assert_int_equal(events_list_left_out(&e, &a).n, 0);
	assert_true(events_take(&e, STR("cycles:u")));
	assert_false(events_take(&e, STR("instructions:u")));
	assert_true(events_take(&e, STR("cycles:ppp")));
	assert_false(events_take(&e, STR("instructions:u")));
	assert_false(events_take(&e, STR("")));
	assert_true(events_take(&e, STR("cycles:u")));
	assert_int_equal(left_out(&e), 3);
	assert_true(str_eq(events_list_left_out(&e, &a),
	                   STR("no name (1 sample), instructions:u (2 samples)")));
	arena_release(&a);
}

static void samples_without_event_are_an_event(void **state)
{
	struct arena a = { 0 };
	struct events e;

	(void)state;
	events_init(&e, &a, NULL);
	assert_true(events_take(&e, STR("")));
	assert_true(events_take(&e, STR("")));
	assert_false(events_take(&e, STR("cycles")));
	assert_int_equal(left_out(&e), 1);
	arena_release(&a);
}

static bool takes(const char *want, const char *name)
{
	struct arena a = { 0 };
	struct events e;
	bool taken;

	events_init(&e, &a, want);
	events_take(&e, STR("first"));
	taken = events_take(&e, str_of(name));
	assert_int_equal(taken, events_take(&e, str_of(name)));
	arena_release(&a);
	return taken;
}

static void an_event_is_asked_for_by_name_or_base(void **state)
{
	(void)state;
	assert_true(takes("cycles:u", "cycles:u"));
	assert_false(takes("cycles:u", "cycles:ppp"));
	assert_true(takes("cycles", "cycles:ppp"));
	assert_true(takes("cycles", "cpu_atom/cycles/P"));
	assert_true(takes("cpu_atom/cycles/P", "cpu_atom/cycles/P"));
	assert_false(takes("cpu_atom/cycles/P", "cpu_core/cycles/P"));
	assert_true(takes("all", "faults"));
	assert_false(takes("sched", "sched:sched_switch"));
	assert_true(takes("sched:sched_switch", "sched:sched_switch"));
}

static void a_long_list_is_cut(void **state)
{
	struct arena a = { 0 };
	struct events e;
	struct str list;

	(void)state;
	events_init(&e, &a, "none");
	for (unsigned i = 0; i < 10000; i++)
		events_take(&e, arena_fmt(&a, "event-%u", i));
	list = events_list_left_out(&e, &a);
	assert_true(list.n < 600);
	assert_true(str_ends(list, STR(" ...")));
	assert_int_equal(left_out(&e), 10000);
	arena_release(&a);
}

static void the_head_says_what_weights_are(void **state)
{
	const struct head in = { STR("cpu-clock"), 6497, STR("ns"), 0, 0 };
	struct arena a = { 0 };
	struct str line = head_line(&a, &in, 0);
	struct head out;

	(void)state;
	assert_string_equal(line.p, "# pfold event=cpu-clock samples=6497 unit=ns\n");
	assert_true(head_parse(line, &out) && out.samples == 6497);
	assert_true(str_eq(out.event, in.event) && str_eq(out.unit, in.unit));
	assert_true(!out.duration_us && !out.cpus);
	assert_false(head_parse(STR("# pfold event=a samples=1 unit="), &out));
	assert_false(head_parse(STR("# pfold event=a samples=x unit=ns"), &out));
	assert_false(head_parse(STR("# pfold event=a samples=1 unit=ns more"), &out));
	assert_false(head_parse(STR("# by pfold"), &out));
	assert_false(head_parse(STR(""), &out));
	arena_release(&a);
}

static void the_head_may_state_duration_and_processors(void **state)
{
	struct head h = { STR("cycles"), 3, STR("cycles"), 1500000, 8 }, out;
	struct head_sum sum;
	struct arena a = { 0 };
	struct str line = head_line(&a, &h, 0);

	(void)state;
	assert_string_equal(
	        line.p,
	        "# pfold event=cycles samples=3 duration=1.500000 cpus=8 unit=cycles\n");
	assert_true(head_parse(line, &out));
	assert_int_equal(out.duration_us, 1500000);
	assert_int_equal(out.cpus, 8);
	assert_true(head_parse(
	        STR("# pfold event=a samples=1 duration=1.5 cpus=x unit=b"), &out));
	assert_true(!out.duration_us && !out.cpus);

	sum = (struct head_sum){ .arena = &a };
	head_add(&sum, &h);
	head_add(&sum, &h);
	assert_true(sum.head.duration_us == 3000000 && sum.head.cpus == 8);
	h.duration_us = 0;
	h.cpus = 4;
	head_add(&sum, &h);
	assert_true(!sum.head.duration_us && !sum.head.cpus);
	h.duration_us = 7;
	head_add(&sum, &h);
	assert_true(!sum.head.duration_us && !sum.head.cpus);
	arena_release(&a);
}

static void the_head_is_one_line_of_four_words(void **state)
{
	const struct head odd = { STR("my event=1;\n\t"), 0, { NULL, 0 }, 0, 0 };
	struct arena a = { 0 };

	(void)state;
	assert_string_equal(head_line(&a, &odd, 0).p,
	                    "# pfold event=my_event_1___ samples=0 unit=unknown\n");
	arena_release(&a);
}

static void heads_add_up_when_their_units_are_alike(void **state)
{
	const struct head ns = { STR("cpu-clock"), 3, STR("ns"), 0, 0 };
	const struct head task = { STR("task-clock,cpu-clock"), 4, STR("ns"), 0, 0 };
	const struct head cycles = { STR("cycles"), UINT64_MAX, STR("cycles"), 0, 0 };
	struct arena a = { 0 };
	struct head_sum sum = { .arena = &a };

	(void)state;
	assert_true(head_add(&sum, &ns) && head_add(&sum, &task));
	assert_true(str_eq(sum.head.event, STR("cpu-clock,task-clock")));
	assert_true(sum.head.samples == 7 && str_eq(sum.head.unit, STR("ns")));
	assert_false(head_add(&sum, &cycles));
	assert_true(sum.head.samples == UINT64_MAX);
	assert_true(str_eq(sum.head.unit, STR("mixed")) && !sum.unstated);
	assert_true(head_add(&sum, NULL) && sum.unstated && sum.inputs == 4);
	arena_release(&a);
}

static void units_are_those_of_periods(void **state)
{
	(void)state;
	assert_true(str_eq(head_unit(STR("cpu-clock")), STR("ns")));
	assert_true(str_eq(head_unit(STR("task-clock")), STR("ns")));
	assert_true(str_eq(head_unit(STR("cycles")), STR("cycles")));
	assert_true(str_eq(head_unit(STR("instructions")), STR("instructions")));
	assert_true(str_eq(head_unit(STR("sched:sched_switch")), STR("events")));
	assert_true(str_eq(head_unit(STR("page-faults")), STR("events")));
}

static void each_profile_has_a_first_event(void **state)
{
	struct arena a = { 0 };
	struct events e;

	(void)state;
	events_init(&e, &a, NULL);
	events_begin(&e);
	assert_true(events_take(&e, STR("cycles:u")));
	assert_false(events_take(&e, STR("cpu-clock")));
	assert_true(str_eq(events_list_taken(&e, &a), STR("cycles")));
	events_begin(&e);
	assert_true(events_take(&e, STR("cpu-clock")));
	assert_false(events_take(&e, STR("cycles:u")));
	assert_true(str_eq(events_list_taken(&e, &a), STR("cpu-clock")));
	assert_true(left_out(&e) == 2);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_says_what_weights_are),
		cmocka_unit_test(the_head_may_state_duration_and_processors),
		cmocka_unit_test(the_head_is_one_line_of_four_words),
		cmocka_unit_test(heads_add_up_when_their_units_are_alike),
		cmocka_unit_test(units_are_those_of_periods),
		cmocka_unit_test(each_profile_has_a_first_event),
		cmocka_unit_test(the_base_has_neither_pmu_nor_modifiers),
		cmocka_unit_test(the_first_event_is_the_default),
		cmocka_unit_test(samples_without_event_are_an_event),
		cmocka_unit_test(an_event_is_asked_for_by_name_or_base),
		cmocka_unit_test(a_long_list_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
