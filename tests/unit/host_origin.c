/* Was a profile recorded here, and when?  The evidence is made; nothing of this machine is read. */
#include "image/host_origin.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define SECOND 1000000000ull
#define HOUR   (3600 * SECOND)
#define BOOT   (1700000000 * SECOND) /* wall time at which this machine started */
#define ID     "0123456789abcdef0123"

static const uint64_t text = 0xffffffff9a000000;

/* This machine has been up for two hours, and did not sleep. */
static struct host_now now;

/* It recorded from 1000 s to 1010 s after its start. */
static struct host_seen seen;

static int enter(void **state)
{
	(void)state;
	now = (struct host_now){ .machine = { .name = STR("here"),
		                              .release = STR("6.1.0"),
		                              .arch = STR("x86_64"),
		                              .kernel_id = STR(ID) },
		                 .kernel = { .text = text, .etext = text + 0x1234 },
		                 .wall_ns = BOOT + 2 * HOUR,
		                 .since_boot_ns = 2 * HOUR,
		                 .clock_ns = 2 * HOUR };
	seen = (struct host_seen){ .machine = now.machine,
		                   .text = text,
		                   .length = 0x1234,
		                   .first_ns = 1000 * SECOND,
		                   .last_ns = 1010 * SECOND };
	return 0;
}

static struct host_origin judged(void)
{
	return host_origin_judge(&seen, &now);
}

static void assert_here(void)
{
	const char *why = judged().elsewhere;

	if (why)
		fail_msg("%s", why);
}

static void assert_elsewhere(const char *part)
{
	const char *why = judged().elsewhere;

	if (!why || !strstr(why, part))
		fail_msg("'%s', not '%s'", why ? why : "here", part);
}

static void all_that_was_recorded_must_agree(void **state)
{
	(void)state;
	assert_here();
	seen.machine.name = STR("there");
	assert_elsewhere("another name");
	enter(NULL);
	seen.machine.release = STR("6.1.1");
	assert_elsewhere("another release");
	enter(NULL);
	seen.machine.arch = STR("aarch64");
	assert_elsewhere("another type of machine");
	enter(NULL);
	seen.machine.kernel_id = STR("0123456789abcdef0124");
	assert_elsewhere("another build of the kernel");
	enter(NULL);
	seen.text += 0x200000;
	assert_elsewhere("another load address");
}

static void without_a_build_id_the_kernel_has_its_length(void **state)
{
	(void)state;
	seen.machine.kernel_id = (struct str){ 0 };
	assert_here();
	seen.length += 8;
	assert_elsewhere("another build of the kernel");
	now.kernel.edata = text + 0x123c; /* as perf 6.12 has it */
	assert_here();
	seen.length++;
	assert_elsewhere("another build of the kernel");
	seen.length = 0;
	assert_here();
	seen.length = 0x7777;
	now.kernel = (struct kallsyms){ 0 }; /* hidden from this user */
	assert_here();
}

static void modules_lie_elsewhere_after_another_boot(void **state)
{
	(void)state;
	seen.modules_same = 3;
	seen.modules_moved = 3; /* some were loaded again */
	assert_here();
	seen.modules_moved = 4;
	assert_elsewhere("modules");
}

static void a_clock_that_is_later_is_of_another_boot(void **state)
{
	(void)state;
	seen.last_ns = 2 * HOUR + 16 * SECOND;
	assert_here();
	seen.last_ns = 2 * HOUR + 18 * SECOND;
	assert_elsewhere("later times");
	/* Samples with the wall's time. */
	enter(NULL);
	now.clock_ns = now.wall_ns;
	seen.first_ns = BOOT + SECOND;
	seen.last_ns = BOOT + 2 * SECOND;
	assert_here();
	seen.first_ns = BOOT - 18 * SECOND;
	assert_elsewhere("before this machine started");
}

/* As of pipe mode of old perf, or if perf was killed. */
static void without_a_header_kernel_and_files_show_it(void **state)
{
	(void)state;
	seen.machine = (struct host_machine){ 0 };
	assert_elsewhere("does not show");
	seen.files_same = 2;
	seen.files_other = 2;
	assert_here();
	seen.files_other = 3;
	assert_elsewhere("does not show");
	seen.files_other = 0;
	seen.length = 0;
	assert_elsewhere("does not show");
	seen.machine.kernel_id = STR(ID);
	assert_here();
	now.machine.kernel_id = (struct str){ 0 };
	assert_elsewhere("does not show");
	enter(NULL);
	seen.machine.release = (struct str){ 0 };
	seen.length = 0;
	seen.machine.kernel_id = (struct str){ 0 };
	assert_elsewhere("does not show");
}

static void assert_times(uint64_t surely_ns, uint64_t began_ns)
{
	struct host_origin o = judged();

	assert_null(o.elsewhere);
	assert_int_equal(o.surely_ns, surely_ns);
	assert_int_equal(o.began_ns, began_ns);
}

enum { DRIFT = 360000000 }; /* of the two clocks in two hours */

static void samples_have_the_time(void **state)
{
	(void)state;
	assert_times(BOOT + 1000 * SECOND - DRIFT, BOOT + 1000 * SECOND);
	assert_int_equal(judged().ended_ns, BOOT + 1010 * SECOND + DRIFT);
}

static void a_copy_has_the_time_of_its_samples(void **state)
{
	(void)state;
	seen.made_ns = seen.written_ns = BOOT + 7000 * SECOND;
	assert_times(BOOT + 1000 * SECOND - DRIFT, BOOT + 1000 * SECOND);
	/* cp -p of a file that was written when the recording ended */
	seen.written_ns = BOOT + 1010 * SECOND;
	assert_times(BOOT + 1000 * SECOND - DRIFT, BOOT + 1000 * SECOND);
}

static void perf_makes_its_file_before_it_begins(void **state)
{
	(void)state;
	seen.made_ns = BOOT + 1000 * SECOND - SECOND / 5;
	seen.written_ns = BOOT + 1010 * SECOND + SECOND / 10;
	assert_times(seen.made_ns, seen.made_ns);
	/* It was written over. */
	seen.made_ns = BOOT + 10 * SECOND;
	assert_times(BOOT + 1000 * SECOND - DRIFT, BOOT + 1000 * SECOND);
}

static void the_mtime_only_moves_the_begin_to_an_earlier_time(void **state)
{
	(void)state;
	seen.written_ns = BOOT + 510 * SECOND;
	assert_times(BOOT + 500 * SECOND, BOOT + 500 * SECOND);
	seen.written_ns = SECOND;
	assert_here();
	assert_int_equal(judged().began_ns, 0);
	seen.written_ns = BOOT + 9000 * SECOND;
	assert_times(BOOT + 1000 * SECOND - DRIFT, BOOT + 1000 * SECOND);
}

/* Sleep was before or after the recording: between the two times calls decide. */
static void sleep_makes_the_time_unsure(void **state)
{
	(void)state;
	now.slept_ns = HOUR;
	now.clock_ns = HOUR;
	assert_times(BOOT + 1000 * SECOND - DRIFT, BOOT + 1000 * SECOND + HOUR);
	seen.written_ns = BOOT + 1800 * SECOND;
	assert_times(BOOT + 1000 * SECOND - DRIFT, BOOT + 1790 * SECOND);
	/* The file as perf wrote it shows the time again. */
	seen.made_ns = BOOT + 1789 * SECOND;
	assert_times(BOOT + 1789 * SECOND, BOOT + 1789 * SECOND);
}

static void a_recorded_wall_time_counts(void **state)
{
	(void)state;
	seen.wall_ns = BOOT + 900 * SECOND; /* the wall's clock was set forward since */
	assert_times(BOOT + 900 * SECOND, BOOT + 900 * SECOND);
	seen.wall_ns = BOOT + 4000 * SECOND; /* or back */
	assert_times(BOOT + 1000 * SECOND - DRIFT, BOOT + 1000 * SECOND);
}

/* perf record --no-timestamp */
static void without_times_the_file_and_the_boot_have_them(void **state)
{
	(void)state;
	seen.first_ns = seen.last_ns = 0;
	assert_times(BOOT, BOOT + 2 * HOUR);
	seen.made_ns = BOOT + 999 * SECOND;
	seen.written_ns = BOOT + 1010 * SECOND;
	assert_times(BOOT + 999 * SECOND, BOOT + 999 * SECOND);
	/* Written at once: it may be a copy. */
	seen.written_ns = seen.made_ns + SECOND / 100;
	assert_times(BOOT, seen.written_ns);
}

#define test(name) cmocka_unit_test_setup(name, enter)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(all_that_was_recorded_must_agree),
		test(without_a_build_id_the_kernel_has_its_length),
		test(modules_lie_elsewhere_after_another_boot),
		test(a_clock_that_is_later_is_of_another_boot),
		test(without_a_header_kernel_and_files_show_it),
		test(samples_have_the_time),
		test(a_copy_has_the_time_of_its_samples),
		test(perf_makes_its_file_before_it_begins),
		test(the_mtime_only_moves_the_begin_to_an_earlier_time),
		test(sleep_makes_the_time_unsure),
		test(a_recorded_wall_time_counts),
		test(without_times_the_file_and_the_boot_have_them),
	};

	return cmocka_run_group_tests_name("host_origin", tests, NULL, NULL);
}
