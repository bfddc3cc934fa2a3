/* perf.data in several files, and through a pipe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reader/perfdata/perfdata.h"
#include "reader/sliced.h"

#include "perfmade.h"

enum { PARTS = 3 };

static struct member parts[PARTS];

static struct str keep(struct str s)
{
	return arena_str(&run, s);
}

/* What put made, without the head: a part. */
static struct str records_of(void (*put)(void))
{
	begin();
	put();
	return keep((struct str){ g.bytes + g.data_at, g.n - g.data_at });
}

static void put_odd(void)
{
	for (uint64_t t = 1; t < 20; t += 2)
		put_time(t);
}

static void put_even(void)
{
	for (uint64_t t = 2; t <= 20; t += 2)
		put_time(t);
}

static struct reader *over_parts(const char *folder)
{
	static const char *const names[] = { "data", "data.0", "data.17" };
	struct str bytes[PARTS] = { { 0 }, records_of(put_odd), records_of(put_even) };

	g.dir = true;
	begin();
	put_comm(0, 0, "app");
	bytes[0] = gen_finish(&g);
	for (unsigned i = 0; i < PARTS; i++)
		parts[i] = (struct member){ .name = arena_fmt(&run, "%s%s", folder,
			                                      names[i]),
			                    .map = bytes[i],
			                    .head = bytes[i] };
	source = (struct source){ .members = parts, .n = PARTS };
	reader = reader_open(&source, 0, &run, &diag);
	return reader;
}

/* perf record --threads */
static void parts_are_merged_by_time(void **state)
{
	(void)state;
	assert_non_null(over_parts("a.tar/perf.data/"));
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(reader_next(reader, &ev), 1);
		assert_int_equal(ev.kind, EV_COMM);
		for (uint64_t t = 1; t <= 20; t++)
			next_sample(t);
		assert_int_equal(reader_next(reader, &ev), 0);
		reader_rewind(reader);
	}
	assert_int_equal(diag.damaged, 0);
}

static void missing_parts_are_said(void **state)
{
	(void)state;
	g.dir = true;
	begin();
	put_time(5);
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(diag.damaged, 1);
	next_sample(5);
}

static void damage_in_a_part_is_its_own(void **state)
{
	(void)state;
	over_parts("");
	reader_close(reader);
	parts[1].map.n -= 3;
	reader = reader_open(&source, 0, &run, &diag);
	assert_non_null(reader);
	assert_int_equal(next_event(), 1);
	assert_int_equal(next_event(), -1);
	for (uint64_t t = 1; t <= 20; t++)
		if (t != 19)
			next_sample(t);
	assert_int_equal(next_event(), 0);
}

static void parts_are_known_by_name_and_records(void **state)
{
	struct str records;

	(void)state;
	records = records_of(put_odd);
	assert_true(perfdata_is_part(STR("x/data.0"), records));
	assert_true(perfdata_is_part(STR("data.12"), records));
	assert_false(perfdata_is_part(STR("data"), records));
	assert_false(perfdata_is_part(STR("data.old"), records));
	assert_false(perfdata_is_part(STR("data.0"), STR("text, and no records")));
}

enum { ROUNDS = 20, EVENTS = 3 * ROUNDS };

/* In each round, one record waits for the next round, and a thread gets a name. */
static void put_waiting_rounds(void)
{
	for (uint64_t t = 0; t < ROUNDS; t++) {
		put_time(100 * t + 250);
		put_comm(100 * t + 101, 0, "renamed");
		put_time(100 * t + 150);
		put_round();
	}
}

/* Reads events to the end of the slice or the file.  Returns their number. */
static size_t read_times(uint64_t *times)
{
	size_t n = 0;

	while (next_event() == 1) {
		assert_true(n < EVENTS);
		times[n++] = ev.time_ns;
	}
	return n;
}

/*
 * Two processes read every other slice.  Each of them gets all names in order.  skips: the pass
 * that finds the slices skips samples.
 */
static void check_slices(bool skips)
{
	uint64_t whole[EVENTS], part[EVENTS];
	size_t slices, comms, ends[ROUNDS + 1] = { 0 };

	begin();
	put_waiting_rounds();
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(read_times(whole), EVENTS);
	reader_rewind(reader);
	assert_true(sliced_begin(reader, 1, skips));
	assert_int_equal(read_times(part), skips ? ROUNDS : EVENTS);
	assert_true(skips || memcmp(part, whole, sizeof(whole)) == 0);
	slices = sliced_count(reader);
	assert_in_range(slices, ROUNDS / 2, ROUNDS);
	reader_rewind(reader);
	for (size_t i = 0; i < slices; i++) {
		(void)sliced_enter(reader, i, i + 1);
		ends[i + 1] = ends[i] + read_times(part);
	}
	assert_int_equal(ends[slices], EVENTS);
	for (size_t first = 0; first < 2; first++) {
		reader_rewind(reader);
		comms = 0;
		for (size_t i = first; i < slices; i += 2) {
			for (size_t n = sliced_enter(reader, i, i + 1); n; n--) {
				assert_int_equal(next_event(), 1);
				assert_int_equal(ev.kind, EV_COMM);
				assert_int_equal(ev.time_ns, 100 * comms++ + 101);
			}
			assert_int_equal(read_times(part), ends[i + 1] - ends[i]);
			for (size_t k = 0; k < ends[i + 1] - ends[i]; k++) {
				assert_int_equal(part[k], whole[ends[i] + k]);
				comms += part[k] == 100 * comms + 101;
			}
			assert_false(sliced_is_odd(reader, i + 1));
		}
	}
	assert_int_equal(diag.damaged, 0);
}

static void slices_are_as_the_whole(void **state)
{
	(void)state;
	check_slices(true);
}

static void a_pass_can_read_samples_and_note_slices(void **state)
{
	(void)state;
	check_slices(false);
}

enum { IDENTIFIER = 1 << 16, CPU = 1 << 7 };

/* A sample with an identifier, of the first event if it is known. */
static void put_identified(uint64_t id, uint64_t time)
{
	gen_open(&g, 9, 2);
	gen_u64(&g, id);
	gen_u64(&g, time);
	gen_u32(&g, 42);
	gen_u32(&g, 43);
	gen_u64(&g, time);
	gen_u64(&g, 1000);
	gen_u64(&g, 1);
	gen_u64(&g, time);
	gen_close(&g);
}

/* Reads the samples of a slice.  Sets *time to that of the last.  Returns the number of reports. */
static size_t read_identified(size_t slice, uint64_t *time)
{
	size_t reports = 0;
	int got;

	(void)sliced_enter(reader, slice, slice + 1);
	while ((got = next_event()) != 0) {
		reports += got < 0;
		if (got > 0)
			*time = ev.time_ns;
	}
	assert_false(sliced_is_odd(reader, slice + 1));
	return reports;
}

/*
 * Every fourth round begins and ends with a record of an event that is not described.  Only the
 * process that reads the first slice reports such a record, although both read some of them twice.
 */
static void check_unknown_events(bool skips)
{
	const struct gen_event events[] = {
		{ .name = "a", .type = 1, .sample_type = PLAIN | IDENTIFIER, .id = 7 },
		{ .name = "b",
		  .type = 1,
		  .sample_type = PLAIN | IDENTIFIER | CPU,
		  .id = 8 },
	};
	uint64_t time = 0;
	size_t slices;

	gen_start(&g, events, 2);
	for (uint64_t t = 1; t <= ROUNDS; t++) {
		if (t == 1 || t % 4 == 0)
			put_identified(99, 10 * t);
		put_identified(7, 10 * t + 1);
		if (t % 4 == 0)
			put_identified(99, 10 * t + 2);
		put_round();
	}
	assert_non_null(over(gen_finish(&g)));
	assert_true(sliced_begin(reader, 1, skips));
	while (next_event() != 0)
		;
	slices = sliced_count(reader);
	assert_in_range(slices, ROUNDS / 2, ROUNDS);
	assert_int_equal(diag.damaged, !skips);
	for (size_t process = 2; process-- > 0;) {
		size_t reports = 0;

		reader_rewind(reader);
		for (size_t i = 5 * process; i < slices; i += 2 - process)
			reports += read_identified(i, &time);
		assert_int_equal(reports, process == 0);
	}
	assert_in_range(time, 10 * ROUNDS - 19, 10 * ROUNDS + 1);
	assert_int_equal(diag.damaged, 1);
	sliced_tell(reader, slices);
	assert_int_equal(diag.damaged, 1);
}

static void an_unknown_event_at_a_border_is_said_once(void **state)
{
	(void)state;
	check_unknown_events(true);
}

static void a_pass_over_all_samples_says_damage_once(void **state)
{
	(void)state;
	check_unknown_events(false);
}

static struct reader *over_stream(struct str bytes)
{
	reader = perfdata_over(stream_over(bytes), &run, &diag);
	return reader;
}

static void put_rounds(void)
{
	put_time(30);
	put_comm(0, 0, "at once");
	put_round();
	put_time(10);
	put_time(40);
	put_round();
	put_time(35);
	put_round();
}

static void stream_is_as_a_file(void **state)
{
	struct str bytes;

	(void)state;
	g.pipe = true;
	begin();
	put_rounds();
	bytes = gen_finish(&g);
	assert_non_null(over_stream(bytes));
	reader_hold(reader);
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(next_event(), 1);
		assert_true(ev.kind == EV_COMM && str_eq(ev.comm, STR("at once")));
		next_sample(10);
		next_sample(30);
		next_sample(35);
		assert_true(ev.at > bytes.n / 2 && ev.at < bytes.n);
		next_sample(40);
		assert_int_equal(next_event(), 0);
		if (!pass)
			reader_rewind(reader);
	}
	assert_int_equal(diag.damaged, 0);
}

/* A trace follows its record without being counted in it, and is not kept. */
static void traces_in_a_stream_are_passed_over(void **state)
{
	(void)state;
	g.pipe = true;
	begin();
	put_time(1);
	gen_open(&g, 71, 0);
	gen_u64(&g, 100000);
	gen_zeros(&g, 32);
	gen_close(&g);
	for (unsigned i = 0; i < 100000 / 8; i++)
		gen_u64(&g, 0x4141414141414141);
	put_time(2);
	assert_non_null(over_stream(gen_finish(&g)));
	next_sample(1);
	next_sample(2);
	assert_int_equal(next_event(), 0);
	assert_int_equal(diag.damaged, 0);
}

static void damage_in_a_stream_ends(void **state)
{
	size_t at;

	(void)state;
	g.pipe = true;
	begin();
	put_time(1);
	at = g.n;
	put_time(2);
	put_time(3);
	put_time(4);
	put_time(5);
	gen_number(&g, at + 6, 0, 2);
	assert_non_null(over_stream(gen_finish(&g)));
	assert_int_equal(next_event(), -1);
	next_sample(1);
	next_sample(3);
	next_sample(4);
	next_sample(5);
	assert_int_equal(next_event(), 0);
	assert_int_equal(diag.damaged, 1);
}

static void build_id_may_come_late(void **state)
{
	(void)state;
	g.pipe = true;
	begin();
	put_time(1);
	gen_open(&g, 67, 2);
	gen_u32(&g, 0xffffffff);
	gen_bytes(&g, "0123456789abcdefghij", 20);
	gen_zeros(&g, 4);
	gen_text(&g, "/bin/app");
	gen_close(&g);
	gen_open(&g, 1, 2);
	gen_u32(&g, 42);
	gen_u32(&g, 42);
	gen_u64(&g, 0x1000);
	gen_u64(&g, 0x1000);
	gen_u64(&g, 0);
	gen_text(&g, "/bin/app");
	gen_trailer(&g, &clock_event, 42, 42, 2);
	gen_close(&g);
	assert_non_null(over_stream(gen_finish(&g)));
	next_sample(1);
	assert_int_equal(next_event(), 1);
	assert_true(str_eq(ev.map.build_id, STR("0123456789abcdefghij")));
}

static void only_pipe_captures_stream(void **state)
{
	struct str bytes;

	(void)state;
	begin();
	put_time(1);
	bytes = gen_finish(&g);
	assert_false(reader_streams(bytes));
	assert_null(over_stream(bytes));
	g.pipe = true;
	begin();
	assert_true(reader_streams(gen_finish(&g)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(parts_are_merged_by_time, enter, leave),
		cmocka_unit_test_setup_teardown(missing_parts_are_said, enter, leave),
		cmocka_unit_test_setup_teardown(damage_in_a_part_is_its_own, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(parts_are_known_by_name_and_records,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(slices_are_as_the_whole, enter, leave),
		cmocka_unit_test_setup_teardown(a_pass_can_read_samples_and_note_slices,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(an_unknown_event_at_a_border_is_said_once,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(a_pass_over_all_samples_says_damage_once,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(stream_is_as_a_file, enter, leave),
		cmocka_unit_test_setup_teardown(traces_in_a_stream_are_passed_over, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(damage_in_a_stream_ends, enter, leave),
		cmocka_unit_test_setup_teardown(build_id_may_come_late, enter, leave),
		cmocka_unit_test_setup_teardown(only_pipe_captures_stream, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
