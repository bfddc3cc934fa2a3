/* Call chains of perf.data that are more than what a sample holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reader/fields.h"

#include "perfmade.h"

static const uint64_t KERNEL = (uint64_t)-128, USER = (uint64_t)-512,
                      LATER = (uint64_t)-640;

static void check_frames(const uint64_t *ips, size_t n)
{
	assert_int_equal(ev.nframes, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(ev.frames[i].ip, ips[i]);
}

#define CHECK_FRAMES(...)                                                                \
	check_frames((uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8)

#define PUT_SAMPLE(time, ...)                                                            \
	put_sample(time, (uint64_t[]){ __VA_ARGS__ },                                    \
	           sizeof((uint64_t[]){ __VA_ARGS__ }) / 8)

static void put_later(uint64_t time, uint32_t tid, uint64_t cookie, uint64_t ip)
{
	gen_open(&g, 22, 2);
	gen_u64(&g, cookie);
	gen_u64(&g, 2);
	gen_u64(&g, ip);
	gen_u64(&g, ip + 1);
	gen_trailer(&g, &clock_event, 42, tid, time);
	gen_close(&g);
}

/* Linux 6.18: the user frames follow when the thread is back in user mode. */
static void user_frames_may_follow(void **state)
{
	(void)state;
	begin();
	PUT_SAMPLE(1, KERNEL, 0x11, LATER, 77);
	PUT_SAMPLE(2, KERNEL, 0x21, LATER, 77);
	PUT_SAMPLE(3, KERNEL, 0x31, USER, 0x32);
	put_later(4, 99, 77, 0x999); /* of another thread */
	put_later(5, 43, 77, 0x501);
	PUT_SAMPLE(6, KERNEL, 0x61, LATER, 78);
	put_later(7, 43, 79, 0x701); /* not what it waited for */
	PUT_SAMPLE(8, KERNEL, 0x81, LATER, 80);
	PUT_SAMPLE(9, KERNEL, 0x91, LATER); /* cut short */
	assert_non_null(over(gen_finish(&g)));
	for (int pass = 0; pass < 2; pass++) {
		next_sample(3);
		CHECK_FRAMES(0x31, 0x32);
		next_sample(1);
		CHECK_FRAMES(0x11, 0x501, 0x502);
		assert_int_equal(ev.frames[1].cpumode, MODE_USER);
		assert_true(!ev.frames[1].caller && ev.frames[2].caller);
		next_sample(2);
		CHECK_FRAMES(0x21, 0x501, 0x502);
		next_sample(6);
		CHECK_FRAMES(0x61);
		next_sample(9);
		CHECK_FRAMES(0x91);
		next_sample(8); /* the thread never went back */
		CHECK_FRAMES(0x81);
		assert_int_equal(reader_next(reader, &ev), 0);
		reader_rewind(reader);
	}
	assert_int_equal(diag.damaged, 0);
}

static void frames_that_follow_stay_inside(void **state)
{
	(void)state;
	begin();
	gen_open(&g, 22, 2);
	gen_u64(&g, 1);
	gen_u64(&g, (uint64_t)1 << 61);
	gen_trailer(&g, &clock_event, 42, 43, 1);
	gen_close(&g);
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(reader_next(reader, &ev), -1);
	assert_int_equal(reader_next(reader, &ev), 0);
}

/* Samples of two counters that wait are counted once, when they are delivered. */
static void what_waits_is_counted_once(void **state)
{
	struct gen_event e = { .name = "e",
		               .sample_type =
		                       HAS_TID | HAS_TIME | HAS_READ | HAS_CALLCHAIN,
		               .read_format = 4,
		               .flags = ID_ALL,
		               .id = 7 };

	(void)state;
	gen_start(&g, &e, 1);
	for (uint64_t i = 1; i < 3; i++) {
		gen_open(&g, 9, 2);
		gen_u32(&g, 42);
		gen_u32(&g, 43);
		gen_u64(&g, i);
		gen_u64(&g, i * 100);
		gen_u64(&g, 7);
		gen_u64(&g, 2);
		gen_u64(&g, LATER);
		gen_u64(&g, 5);
		gen_close(&g);
	}
	gen_open(&g, 22, 2);
	gen_u64(&g, 5);
	gen_u64(&g, 1);
	gen_u64(&g, 0x77);
	gen_trailer(&g, &e, 42, 43, 3);
	gen_close(&g);
	assert_non_null(over(gen_finish(&g)));
	for (uint64_t i = 1; i < 3; i++) {
		next_sample(i);
		assert_int_equal(ev.weight, 100);
		CHECK_FRAMES(0x77);
	}
	assert_int_equal(reader_next(reader, &ev), 0);
}

static void put_calls(uint64_t time, uint64_t chain_end)
{
	gen_open(&g, 9, 2);
	gen_u64(&g, time);
	gen_u64(&g, 4);
	gen_u64(&g, KERNEL);
	gen_u64(&g, 0xffffffff81000000);
	gen_u64(&g, chain_end);
	gen_u64(&g, 0x4001);
	gen_u64(&g, 2);
	for (uint64_t i = 0; i < 2; i++) {
		gen_u64(&g, 0x5000 + i);
		gen_u64(&g, 0x6000 + i);
		gen_u64(&g, 0);
	}
	gen_close(&g);
}

/* perf record --call-graph lbr */
static void open_calls_are_the_user_frames(void **state)
{
	struct gen_event e = { .name = "cycles",
		               .sample_type = HAS_TIME | HAS_CALLCHAIN | HAS_BRANCH_STACK,
		               .branch_type = BRANCH_CALL_STACK };

	(void)state;
	gen_start(&g, &e, 1);
	put_calls(1, USER);
	put_calls(2, 0xffffffff81000010); /* no user frames, so none are replaced */
	assert_non_null(over(gen_finish(&g)));
	next_sample(1);
	CHECK_FRAMES(0xffffffff81000000, 0x6000, 0x5000, 0x5001);
	assert_true(ev.frames[3].cpumode == MODE_USER && !ev.frames[3].caller);
	next_sample(2);
	CHECK_FRAMES(0xffffffff81000000, 0xffffffff81000010, 0x4001);
}

static struct needed needed;

static const struct needed *needs(void *data, const struct event *of)
{
	assert_int_equal(of->pid, 42);
	assert_int_equal(of->tid, 43);
	assert_true(of->has_time);
	*(uint64_t *)data += of->time_ns;
	return &needed;
}

/* reader_skim delivers the samples with an address in a range, and those that are damaged. */
static void samples_without_needed_addresses_are_omitted(void **state)
{
	uint64_t times = 0;
	const struct skimming skimming = { needs, &times };

	(void)state;
	begin();
	PUT_SAMPLE(1, USER, 0x1000, 0x4fff);
	PUT_SAMPLE(2, USER, 0x1000, 0x5000);
	PUT_SAMPLE(3, KERNEL, USER, 0x6000);
	PUT_SAMPLE(4, 0x5fff);
	put_sample(5, NULL, 0);
	put_comm(6, 0, "named");
	PUT_SAMPLE(7, USER, 0x1000, 0x4fff);
	/* The chain ends after 3 of 4 addresses. */
	g.bytes[g.n - 32] = 4;
	assert_non_null(over(gen_finish(&g)));
	needed = (struct needed){ .n = 1, .range = { { 0x5000, 0x6000 } } };
	reader_skim(reader, &skimming);
	next_sample(2);
	CHECK_FRAMES(0x1000, 0x5000);
	next_sample(4);
	assert_int_equal(next_event(), 1);
	assert_int_equal(ev.kind, EV_COMM);
	assert_int_equal(next_event(), -1);
	assert_int_equal(next_event(), 0);
	assert_int_equal(times, 1 + 2 + 3 + 4 + 5);

	reader_rewind(reader);
	needed.all = true;
	for (uint64_t time = 1; time <= 5; time++)
		next_sample(time);
	reader_rewind(reader);
	needed.all = false;
	reader_skim(reader, NULL);
	for (uint64_t time = 1; time <= 5; time++)
		next_sample(time);
}

/* Words of the kernel, between ranges, and at the borders of ranges. */
static void samples_between_ranges_are_omitted(void **state)
{
	uint64_t times = 0;
	const struct skimming skimming = { needs, &times };

	(void)state;
	begin();
	PUT_SAMPLE(1, KERNEL, 0xffffffff81000000, USER, 0x2fff, 0x4000, 0x4fff, 0x6000,
	           0x10);
	PUT_SAMPLE(2, KERNEL, 0xffffffff81000000, USER, 0x4000, 0x4fff, 0x5000);
	PUT_SAMPLE(3, 0x4000, 0x6000, 0x2fff, 0x4001);
	PUT_SAMPLE(4, 0x4000, 0x3fff);
	PUT_SAMPLE(5, 0x6000, 0x5fff);
	PUT_SAMPLE(6, 0x10, 0x3000);
	assert_non_null(over(gen_finish(&g)));
	needed = (struct needed){ .n = 2,
		                  .range = { { 0x3000, 0x4000 }, { 0x5000, 0x6000 } } };
	reader_skim(reader, &skimming);
	next_sample(2);
	next_sample(4);
	next_sample(5);
	next_sample(6);
	assert_int_equal(next_event(), 0);
}

/* A sample that waits for its user frames is delivered, because they may be needed. */
static void samples_that_wait_are_not_omitted(void **state)
{
	uint64_t times = 0;
	const struct skimming skimming = { needs, &times };

	(void)state;
	begin();
	PUT_SAMPLE(1, KERNEL, 0x11, LATER, 77);
	assert_non_null(over(gen_finish(&g)));
	needed = (struct needed){ 0 };
	reader_skim(reader, &skimming);
	next_sample(1);
	assert_int_equal(times, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(user_frames_may_follow, enter, leave),
		cmocka_unit_test_setup_teardown(frames_that_follow_stay_inside, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(what_waits_is_counted_once, enter, leave),
		cmocka_unit_test_setup_teardown(open_calls_are_the_user_frames, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(
		        samples_without_needed_addresses_are_omitted, enter, leave),
		cmocka_unit_test_setup_teardown(samples_between_ranges_are_omitted, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(samples_that_wait_are_not_omitted, enter,
		                                leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
