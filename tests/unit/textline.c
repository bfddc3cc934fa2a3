/* Frames of a text, line by line: what names them, and what is told of them. */
#include "symbol/profile.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "framelines.h"
#include "given.h"

enum { SOURCES = 4 };

static const char saved[] = "ffffffff81000000 T _text\n"
                            "ffffffff81000000 T _stext\n"
                            "ffffffff81000040 t idle\n"
                            "ffffffff81000080 t do_syscall\n"
                            "ffffffff81000400 T _etext\n";

static struct arena run;
static struct diag diag;
static struct profile *profile;
static struct profile_opts opts;
static const char *sources[SOURCES];
static struct sample sample;

static int enter(void **state)
{
	(void)state;
	diag = (struct diag){ .prog = "textline", .quiet = true };
	opts = (struct profile_opts){ .sources = sources, .diag = &diag };
	opts.formats = READ_SAMPLES;
	return 0;
}

static int leave(void **state)
{
	(void)state;
	profile_close(profile);
	profile = NULL;
	given_none();
	arena_release(&run);
	return 0;
}

static void with_text(const char *text)
{
	sources[opts.nsources++] = given_text(&run, text);
}

static void open_text(const char *text)
{
	opts.input = given_text(&run, text);
	profile = profile_open(&opts);
	assert_non_null(profile);
	profile_learn(profile);
}

static void next_sample(size_t n)
{
	do
		assert_int_equal(profile_next(profile, &sample), 1);
	while (sample.ev->kind != EV_SAMPLE);
	assert_int_equal(sample.nframes, n);
}

static const struct resolved *frame(size_t i)
{
	return profile_frame(profile, sample.frames[i].id);
}

static void line_is(size_t i, const char *text)
{
	struct str lines = frame_lines(&run, profile, sample.frames[i]);

	if (!str_eq(lines, str_of(text)))
		fail_msg("'" PRSTR "'", STRARG(lines));
}

#define HEADER "app 7/7 1.000000: 7 cycles: \n"

/* No mapping says that an address is the kernel's, but its name comes from there. */
static void frames_of_the_kernel_are_told_apart(void **state)
{
	(void)state;
	with_text(saved);
	open_text(HEADER "\tffffffff81000041 [unknown] ([kernel.kallsyms])\n"
	                 "\tffffffff81000080 [unknown] ([kernel.kallsyms])\n"
	                 "\t          401136 main+0x6 (/usr/bin/app)\n\n");
	next_sample(3);
	line_is(0, "\tffffffff81000041 idle+0x1 ([kernel.kallsyms])\n");
	assert_int_equal(frame(0)->names[0].flags, NAMED_KERNEL);
	assert_true(frame(0)->improved);
	line_is(1, "\tffffffff81000080 idle+0x40 ([kernel.kallsyms])\n");
	assert_int_equal(frame(2)->names[0].flags, 0);
	assert_false(frame(2)->improved);
}

/* Two processes, whose maps have other names for one address. */
static void line_is_looked_up_in_its_process(void **state)
{
	struct pid_opt pids[] = {
		{ 7, given_text(&run, "10000 100 first7\n10100 100 second7\n") },
		{ 8, given_text(&run, "10000 100 first8\n10100 100 second8\n") }
	};
	static const char *const want[] = { "second7", "second8", "second7", "second7" };

	(void)state;
	opts.pids = pids;
	opts.npids = 2;
	open_text("app 7/7 1.000000: 7 cycles: \n\t10108 [unknown] (//anon)\n\n"
	          "app 8/8 1.000000: 7 cycles: \n\t10108 [unknown] (//anon)\n\n"
	          "app 7/7 1.000000: 7 cycles: \n\t10108 [unknown] (//anon)\n\n"
	          "app 7/7 1.000000: 7 cycles: \n\t10108 [unknown] (//anon)\n\n");
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		next_sample(1);
		line_is(0,
		        arena_fmt(&run, "\t           10108 %s+0x8 (//anon)\n", want[i])
		                .p);
		assert_int_equal(frame(0)->names[0].flags, NAMED_JIT);
	}
}

/* The first frame is no return address, nor the first of user code. */
static void callers_are_looked_up_before_their_address(void **state)
{
	struct pid_opt pid = { 7,
		               given_text(&run, "10000 100 first\n10100 100 second\n") };

	(void)state;
	opts.pids = &pid;
	opts.npids = 1;
	open_text(HEADER
	          "\t10100 [unknown] (//anon)\n\t10100 [unknown] (//anon)\n\n" HEADER
	          "\tffffffff81000041 idle+0x1 ([kernel.kallsyms])\n"
	          "\t10100 [unknown] (//anon)\n\n");
	next_sample(2);
	line_is(0, "\t           10100 second+0x0 (//anon)\n");
	line_is(1, "\t           10100 first+0x100 (//anon)\n");
	next_sample(2);
	line_is(1, "\t           10100 second+0x0 (//anon)\n");
}

static void line_that_is_no_frame_has_no_name(void **state)
{
	frame_id none;

	(void)state;
	open_text(HEADER "\t  401136 main+0x6 (/usr/bin/app)\n\tno frame\n"
	                 "\t  401140 start+0x6 (/usr/bin/app)\n\n" HEADER
	                 "\tnone either\n\t  401136 main+0x6 (/usr/bin/app)\n\n");
	next_sample(3);
	assert_int_equal(frame(1)->n, 0);
	assert_int_equal(frame(0)->n, 1);
	none = sample.frames[1].id;
	assert_int_not_equal(none, sample.frames[0].id);
	assert_int_not_equal(none, sample.frames[2].id);
	next_sample(2);
	assert_int_equal(sample.frames[0].id, none);
	assert_int_equal(sample.frames[0].addr, 0);
	assert_int_equal(frame(1)->n, 1);
}

static void inlined_functions_have_no_module(void **state)
{
	(void)state;
	open_text(HEADER
	          "\t  401136 small (inlined)\n\t  401136 main+0x6 (/usr/bin/app)\n"
	          "\t  401136 small (/usr/bin/app)\n\n");
	next_sample(3);
	assert_int_equal(frame(0)->names[0].flags, NAMED_INLINED);
	assert_int_equal(frame(0)->names[0].module, 0);
	assert_int_equal(frame(1)->names[0].flags, 0);
	assert_true(str_eq(profile_str(profile, frame(1)->names[0].module),
	                   STR("/usr/bin/app")));
	assert_int_not_equal(sample.frames[0].id, sample.frames[2].id);
}

/* Names that differ only in their module, or where the name ends. */
static void each_name_is_one_frame(void **state)
{
	(void)state;
	open_text(HEADER
	          "\t  401136 parse (/usr/bin/app)\n\t  401136 parse (/usr/bin/apq)\n"
	          "\t  401136 parsf (/usr/bin/app)\n\t  401136 pars (/usr/bin/app)\n"
	          "\t  401999 parse (/usr/bin/app)\n\n");
	next_sample(5);
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(sample.frames[i].id, sample.frames[k].id);
	assert_int_equal(sample.frames[4].id, sample.frames[0].id);
	assert_int_equal(sample.frames[4].addr, 0x401999);
}

static void source_lines_are_taken_where_they_are_wanted(void **state)
{
	static const char text[] = HEADER "\t  401136 main+0x6 (/usr/bin/app)\n"
	                                  "  app.c:17\n"
	                                  "\t  401136 main+0x6 (/usr/bin/app)\n"
	                                  "  app.c:18\n"
	                                  "\t  401136 main+0x6 (/usr/bin/app)\n\n";

	(void)state;
	opts.lines = true;
	open_text(text);
	next_sample(3);
	assert_true(str_eq(profile_str(profile, frame(0)->names[0].srcline),
	                   STR("app.c:17")));
	assert_true(str_eq(profile_str(profile, frame(1)->names[0].srcline),
	                   STR("app.c:18")));
	assert_int_equal(frame(2)->names[0].srcline, 0);
	profile_close(profile);
	opts.lines = false;
	open_text(text);
	next_sample(3);
	assert_int_equal(frame(0)->names[0].srcline, 0);
	assert_int_equal(sample.frames[0].id, sample.frames[1].id);
}

/* Lines without a name that nothing can name. */
static void places_are_told_apart_where_they_are_wanted(void **state)
{
	(void)state;
	for (int apart = 0; apart < 2; apart++) {
		profile_close(profile);
		opts.addresses = apart;
		open_text(HEADER "\t  401136 [unknown] (/usr/bin/app)\n"
		                 "\t  401140 [unknown] (/usr/bin/app)\n"
		                 "\t  401136 [unknown] (/usr/bin/app)\n\n");
		next_sample(3);
		assert_int_equal(sample.frames[0].id != sample.frames[1].id, apart);
		assert_int_equal(sample.frames[0].id, sample.frames[2].id);
	}
}

/* Threads of the kernel have pid 0, which is a process as others. */
static void pid_0_is_not_that_of_the_module(void **state)
{
	struct pid_opt pids[] = {
		{ 7, given_text(&run, "10000 100 first7\n10100 100 second7\n") },
		{ 0, given_text(&run, "10000 100 first0\n10100 100 second0\n") }
	};

	(void)state;
	opts.pids = pids;
	opts.npids = 2;
	open_text(
	        "app 0/0 1.000000: 7 cycles: \n\t10108 [unknown] (/tmp/perf-7.map)\n\n"
	        "app 7/7 1.000000: 7 cycles: \n\t10108 [unknown] (/tmp/perf-7.map)\n\n");
	next_sample(1);
	line_is(0, "\t           10108 second0+0x8 (/tmp/perf-7.map)\n");
	next_sample(1);
	line_is(0, "\t           10108 second7+0x8 (/tmp/perf-7.map)\n");
}

/* Each name again, when many others were met. */
static void many_names_are_kept(void **state)
{
	enum { NAMES = 500 };
	char *p = arena_new(&run, char, 1 << 17), *end = p;
	frame_id id[NAMES];

	(void)state;
	for (int twice = 0; twice < 2; twice++)
		for (int i = 0; i < NAMES; i++)
			end += sprintf(end,
			               HEADER "\t  4011%02x f%d (/usr/bin/app%d)\n\n",
			               i % 256, i, i % 7);
	open_text(p);
	for (int twice = 0; twice < 2; twice++)
		for (int i = 0; i < NAMES; i++) {
			next_sample(1);
			assert_true(str_eq(profile_str(profile, frame(0)->names[0].func),
			                   arena_fmt(&run, "f%d", i)));
			assert_true(
			        str_eq(profile_str(profile, frame(0)->names[0].module),
			               arena_fmt(&run, "/usr/bin/app%d", i % 7)));
			if (twice)
				assert_int_equal(sample.frames[0].id, id[i]);
			id[i] = sample.frames[0].id;
		}
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(frames_of_the_kernel_are_told_apart),
		test(line_is_looked_up_in_its_process),
		test(callers_are_looked_up_before_their_address),
		test(line_that_is_no_frame_has_no_name),
		test(inlined_functions_have_no_module),
		test(each_name_is_one_frame),
		test(source_lines_are_taken_where_they_are_wanted),
		test(places_are_told_apart_where_they_are_wanted),
		test(pid_0_is_not_that_of_the_module),
		test(many_names_are_kept),
	};

	return cmocka_run_group_tests_name("textline", tests, NULL, NULL);
}
