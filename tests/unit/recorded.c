/* Names that another perf printed, and whether that was the same capture. */
#include "symbol/recorded.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "symbol/same_capture.h"

static struct arena run;
static struct diag diag;
static struct interner names;
static struct processes *ps;
static struct recorded rec;
static struct source *source;
static struct reader *reader;

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_STREAM;
}

static void map(int32_t pid, uint64_t start, uint64_t len, uint64_t off, const char *path)
{
	struct event ev = { .kind = EV_MMAP,
		            .pid = pid,
		            .tid = pid,
		            .map = { .start = start,
		                     .len = len,
		                     .file_off = off,
		                     .path = str_of(path) } };

	process_apply(ps, &ev);
}

static int enter(void **state)
{
	(void)state;
	diag = (struct diag){ .prog = "recorded" };
	intern_init(&names, &run);
	ps = process_new(&run, &names);
	recorded_init(&rec, &run, &names);
	map(7, 0x10000, 0x4000, 0x1000, "/x");
	process_note_thread(ps, 7, 8);
	return 0;
}

static void shut(void)
{
	reader_close(reader);
	source_close(source);
	reader = NULL;
	source = NULL;
}

static int leave(void **state)
{
	(void)state;
	shut();
	given_none();
	arena_release(&run);
	return 0;
}

static void text(const char *bytes)
{
	struct source_opts opts = { .look = look, .run = &run, .diag = &diag };

	shut();
	source = source_open(given_text(&run, bytes), &opts);
	assert_non_null(source);
	reader = reader_open(source, 0, &run, &diag);
	assert_non_null(reader);
}

static void read_text(const char *bytes, enum address_form form)
{
	text(bytes);
	recorded_read(&rec, reader, form, ps);
}

static void name_is(uint64_t ip, const char *func)
{
	const struct mapping *m = process_find(ps, 7, ip, MODE_USER);
	const struct recorded_name *n = recorded_find(&rec, m, 7, ip);

	assert_int_equal(n != NULL, func != NULL);
	if (n)
		assert_true(str_eq(intern_str(&names, n->func), str_of(func)));
}

static void offset_names_every_process(void **state)
{
	(void)state;
	read_text("a 7/8 1.5: e:\n\t1010 f+0x10 (/x)\n\t1020 [unknown] (/x)\n",
	          FORM_OFFSET);
	name_is(0x10010, "f");
	name_is(0x10020, NULL);
	name_is(0x10011, NULL);
	assert_non_null(recorded_find_printed(&rec, intern(&names, STR("/x")), 0x1010));
	assert_null(recorded_find_printed(&rec, intern(&names, STR("/y")), 0x1010));
}

static void absolute_address_names_its_process_only(void **state)
{
	const struct mapping *m = process_find(ps, 7, 0x10010, MODE_USER);

	(void)state;
	read_text("a 8 1.5: e:\n\t10010 f+0x10 (/x)\n", FORM_ABSOLUTE);
	name_is(0x10010, "f");
	assert_null(recorded_find(&rec, m, 9, 0x10010));
	assert_null(recorded_find(&rec, NULL, 7, 0x10010));
	assert_null(recorded_find_printed(&rec, intern(&names, STR("/x")), 0x10010));
}

static void two_names_are_none(void **state)
{
	(void)state;
	read_text("a 7/8 1.5: e:\n\t1010 f+0x10 (/x)\n\t1020 h+0x1 (/x)\n\n"
	          "a 7/8 1.6: e:\n\t1010 g+0x10 (/x)\n\t1020 h+0x1 (/x)\n",
	          FORM_OFFSET);
	name_is(0x10010, NULL);
	name_is(0x10020, "h");
}

static void inlined_functions_belong_to_the_frame_below(void **state)
{
	const struct recorded_name *n;

	(void)state;
	read_text("a 7/8 1.5: e:\n\t1010 in+0x1 (inlined)\n\t1010 mid+0x1 (inlined)\n"
	          "\t1010 f+0x10 (/x)\n\t1020 g+0x1 (/x)\n",
	          FORM_OFFSET);
	n = recorded_find_printed(&rec, intern(&names, STR("/x")), 0x1010);
	assert_int_equal(n->ninlined, 2);
	assert_true(str_eq(intern_str(&names, n[-2].func), STR("in")));
	n = recorded_find_printed(&rec, intern(&names, STR("/x")), 0x1020);
	assert_int_equal(n->ninlined, 0);
}

/* As perf prints a function that DWARF calls otherwise than its symbol. */
static void inlined_functions_of_another_address_are_not_the_frames(void **state)
{
	const struct recorded_name *n;

	(void)state;
	read_text("a 7/8 1.5: e:\n\t1010 __GI_f+0x1 (inlined)\n\t1020 g+0x1 (/x)\n"
	          "\t1030 in+0x1 (inlined)\n\t1040 in+0x1 (inlined)\n\t1040 h+0x1 (/x)\n",
	          FORM_OFFSET);
	n = recorded_find_printed(&rec, intern(&names, STR("/x")), 0x1020);
	assert_int_equal(n->ninlined, 0);
	n = recorded_find_printed(&rec, intern(&names, STR("/x")), 0x1040);
	assert_int_equal(n->ninlined, 1);
}

/* What one line of a text can cost for each frame is bounded. */
static void inlined_functions_are_not_endless(void **state)
{
	struct str bytes = { "a 7/8 1.5: e:\n", 14 };
	const struct recorded_name *n;

	(void)state;
	for (int i = 0; i < 1000; i++)
		bytes = arena_fmt(&run, "%s\t1010 i+0x1 (inlined)\n", bytes.p);
	read_text(arena_fmt(&run, "%s\t1010 f+0x10 (/x)\n", bytes.p).p, FORM_OFFSET);
	n = recorded_find_printed(&rec, intern(&names, STR("/x")), 0x1010);
	assert_true(n->ninlined > 100 && n->ninlined < 1000);
}

static struct same_capture agreed;

static void learn(const char *bytes)
{
	text(bytes);
	same_capture_init(&agreed, &run, &names);
	same_capture_learn(&agreed, reader);
}

static void sample(uint64_t ns, uint64_t ip, uint64_t caller)
{
	struct frame frames[2] = { { .ip = ip, .cpumode = MODE_USER },
		                   { .ip = caller, .cpumode = MODE_USER } };
	struct event ev = { .kind = EV_SAMPLE,
		            .pid = 7,
		            .tid = 8,
		            .has_time = true,
		            .time_ns = ns,
		            .frames = frames,
		            .nframes = 2 };

	same_capture_check(&agreed, &ev, ps);
}

static void offsets_agree(void **state)
{
	(void)state;
	learn("a 8 1.000001: e:\n\t1010 f (/x)\n\t1020 [unknown] (/x)\n");
	sample(1000001999, 0x10010, 0x10020);
	assert_int_equal(same_capture_form(&agreed), FORM_OFFSET);
}

static void absolute_addresses_agree(void **state)
{
	(void)state;
	learn("a 8 1.000001: e:\n\t10010 f (/x)\n\t10020 [unknown] (/x)\n");
	sample(1000001000, 0x10010, 0x10020);
	assert_int_equal(same_capture_form(&agreed), FORM_ABSOLUTE);
}

static void another_capture_does_not_agree(void **state)
{
	(void)state;
	learn("a 8 1.000001: e:\n\t1010 f (/x)\n\t1020 [unknown] (/x)\n");
	assert_int_equal(same_capture_form(&agreed), FORM_UNSURE);
	sample(1000002000, 0x10010, 0x10020);
	assert_int_equal(same_capture_form(&agreed), FORM_UNSURE);
	sample(1000001000, 0x10010, 0x10021);
	assert_int_equal(same_capture_form(&agreed), FORM_UNSURE);
}

static void one_contradiction_in_ten_is_borne(void **state)
{
	struct str bytes = { "", 0 };

	(void)state;
	for (int i = 10; i < 30; i++)
		bytes = arena_fmt(&run, "%sa 8 1.0000%d: e:\n\t1010 f (/x)\n\n", bytes.p,
		                  i);
	learn(bytes.p);
	for (uint64_t i = 10; i < 30; i++)
		sample(1000000000 + i * 1000, i < 12 ? 0x10011 : 0x10010, 0x10020);
	assert_int_equal(same_capture_form(&agreed), FORM_OFFSET);
	sample(1000012000, 0x10011, 0x10020);
	sample(1000013000, 0x10011, 0x10020);
	assert_int_equal(same_capture_form(&agreed), FORM_UNSURE);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(offset_names_every_process),
		test(absolute_address_names_its_process_only),
		test(two_names_are_none),
		test(inlined_functions_belong_to_the_frame_below),
		test(inlined_functions_of_another_address_are_not_the_frames),
		test(inlined_functions_are_not_endless),
		test(offsets_agree),
		test(absolute_addresses_agree),
		test(another_capture_does_not_agree),
		test(one_contradiction_in_ten_is_borne),
	};

	return cmocka_run_group_tests_name("recorded", tests, NULL, NULL);
}
