/* -F: which fields are printed, by type of event, and what is refused. */
#include "writer/script/columns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "perfgen.h"

#define BIT(col) ((uint64_t)1 << (col))

enum { HW = 0, SW = 1, TRACE = 2 };

static struct gen g;
static struct arena run;
static struct diag diag;
static struct member member;
static struct source source;
static struct reader *reader;
static struct columns c;

static const uint64_t usual = BIT(COL_COMM) | BIT(COL_TID) | BIT(COL_TIME) |
                              BIT(COL_EVENT) | BIT(COL_IP) | BIT(COL_SYM) |
                              BIT(COL_SYMOFF) | BIT(COL_DSO) | BIT(COL_PERIOD);

static int enter(void **state)
{
	(void)state;
	memset(&g, 0, sizeof(g));
	diag = (struct diag){ .prog = "columns" };
	columns_init(&c);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	reader_close(reader);
	reader = NULL;
	arena_release(&run);
	return 0;
}

/* Of each type of event one, that records these. */
static void over(const struct gen_event *events, size_t n)
{
	struct str bytes;

	gen_start(&g, events, n);
	bytes = gen_finish(&g);
	member = (struct member){ .name = STR("made"), .map = bytes, .head = bytes };
	source = (struct source){ .members = &member, .n = 1 };
	reader = reader_open(&source, 0, &run, &diag);
	assert_non_null(reader);
}

static int settle(void)
{
	return columns_settle(&c, reader, false, &diag);
}

static int choose(const char *arg)
{
	return columns_choose(&c, arg, &diag);
}

/* IP TID TIME, no CPU: perf leaves out what is not recorded. */
static void default_is_what_is_recorded(void **state)
{
	(void)state;
	over(&(struct gen_event){ .name = "cycles", .sample_type = 7 }, 1);
	assert_int_equal(settle(), 0);
	assert_int_equal(c.shown[HW], usual);
}

static void names_replace_the_default(void **state)
{
	(void)state;
	over(&(struct gen_event){ .name = "cycles", .sample_type = 7 }, 1);
	assert_int_equal(choose("comm,ip,,sym"), 0);
	assert_int_equal(settle(), 0);
	assert_int_equal(c.shown[HW], BIT(COL_COMM) | BIT(COL_IP) | BIT(COL_SYM));
	assert_int_equal(choose("pid"), 0);
	assert_int_equal(c.shown[HW], BIT(COL_PID));
}

static void signs_change_the_default(void **state)
{
	(void)state;
	over(&(struct gen_event){ .name = "cycles", .sample_type = 7 }, 1);
	assert_int_equal(choose("+pid,-period"), 0);
	assert_int_equal(choose("+misc"), 0);
	assert_int_equal(settle(), 0);
	assert_int_equal(c.shown[HW],
	                 (usual | BIT(COL_PID) | BIT(COL_MISC)) & ~BIT(COL_PERIOD));
	assert_int_equal(choose("+pid,period"), -1);
	assert_int_equal(choose("pid,+period"), -1);
}

static void a_type_has_fields_of_its_own(void **state)
{
	const struct gen_event events[] = {
		{ .name = "cycles", .sample_type = 0x10007, .id = 1 },
		{ .name = "faults", .type = 1, .sample_type = 0x10007, .id = 2 },
	};

	(void)state;
	over(events, 2);
	assert_int_equal(choose("sw:ip"), 0);
	assert_int_equal(choose("hw:+misc"), 0);
	assert_int_equal(settle(), 0);
	assert_int_equal(c.shown[SW], BIT(COL_IP));
	assert_int_equal(c.shown[HW], usual | BIT(COL_MISC));
	assert_int_equal(choose("sw:"), 0);
	assert_int_equal(settle(), 0);
	assert_int_equal(c.shown[SW], 0);
	assert_int_equal(choose("trace:"), 0);
	assert_int_equal(settle(), -1); /* there are no tracepoints */
}

static void nonsense_is_refused(void **state)
{
	(void)state;
	assert_int_equal(choose(""), -1);
	assert_int_equal(choose("no such"), -1);
	assert_int_equal(choose("xx:ip"), -1);
	assert_int_equal(choose("hw:trace"), -1);
	assert_int_equal(choose("sw:bpf-output"), 0);
	assert_int_equal(choose("+insn"), -1);
	assert_int_equal(choose("brstackinsn"), -1);
}

static void what_is_asked_for_must_be_recorded(void **state)
{
	static const char *const lacking[] = {
		"cpu",        "addr",           "weight",        "data_src", "iregs",
		"uregs",      "phys_addr",      "cgroup",        "tod",      "ins_lat",
		"retire_lat", "data_page_size", "code_page_size"
	};

	(void)state;
	over(&(struct gen_event){ .name = "cycles", .sample_type = 7 }, 1);
	for (size_t i = 0; i < sizeof(lacking) / sizeof(*lacking); i++) {
		columns_init(&c);
		assert_int_equal(choose(lacking[i]), 0);
		assert_int_equal(settle(), -1);
	}
	columns_init(&c);
	assert_int_equal(choose("symoff"), 0);
	assert_int_equal(settle(), -1); /* without sym */
	columns_init(&c);
	assert_int_equal(choose("srcline"), 0);
	assert_int_equal(settle(), -1); /* without ip */
	/* Asked for of one type, perf forgets that it was asked. */
	columns_init(&c);
	assert_int_equal(choose("hw:comm,cpu"), 0);
	assert_int_equal(settle(), 0);
	assert_int_equal(c.shown[HW], BIT(COL_COMM));
}

static void chains_give_tracepoints_frames(void **state)
{
	const struct gen_event event = { .name = "a:b", .type = 2, .sample_type = 0x27 };
	const uint64_t frames =
	        BIT(COL_IP) | BIT(COL_SYM) | BIT(COL_SYMOFF) | BIT(COL_DSO);

	(void)state;
	over(&event, 1);
	assert_int_equal(columns_settle(&c, reader, true, &diag), 0);
	assert_int_equal(c.shown[TRACE] & frames, 0);
	assert_int_equal(settle(), 0);
	assert_int_equal(c.shown[TRACE] & frames, frames);
	columns_init(&c);
	assert_int_equal(choose("+misc"), 0);
	assert_int_equal(settle(), 0);
	assert_int_equal(c.shown[TRACE] & frames, 0);
}

/* perf meets the events one by one, and adds to each type less than for a file. */
static void a_pipe_gives_tracepoints_less(void **state)
{
	const struct gen_event events[] = {
		{ .name = "a:b", .type = 2, .sample_type = 0x10027, .id = 1 },
		{ .name = "dummy",
		  .type = 1,
		  .config = 9,
		  .sample_type = 0x10007,
		  .id = 2 },
	};

	(void)state;
	g.pipe = true;
	over(events, 2);
	c.compat = true;
	assert_int_equal(settle(), 0);
	assert_int_equal(c.shown[TRACE] & ~usual, BIT(COL_TRACE));
	assert_int_equal(c.shown[TRACE] & usual, BIT(COL_COMM) | BIT(COL_TID) |
	                                                 BIT(COL_TIME) | BIT(COL_EVENT) |
	                                                 BIT(COL_IP) | BIT(COL_SYM));
	/* A dummy event is the first of software events, and is not asked. */
	assert_true(columns_show(&c, SW, COL_CPU));
	columns_init(&c);
	assert_int_equal(settle(), 0);
	assert_true(columns_show(&c, TRACE, COL_DSO) &&
	            columns_show(&c, TRACE, COL_SYMOFF));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(default_is_what_is_recorded),
		TEST(names_replace_the_default),
		TEST(signs_change_the_default),
		TEST(a_type_has_fields_of_its_own),
		TEST(nonsense_is_refused),
		TEST(what_is_asked_for_must_be_recorded),
		TEST(chains_give_tracepoints_frames),
		TEST(a_pipe_gives_tracepoints_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
