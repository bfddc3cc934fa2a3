#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "given.h"
#include "reader/reader.h"
#include "reader/wire.h"
#include "wiremade.h"

static struct arena run;
static struct diag diag;
static struct source *source;
static struct wiremade file, dictionary, part, inner, outer;
static struct wiremade earlier; /* a sample before the one in `part`, if not empty */
static uint64_t process = 4711; /* the id of the resource's process */

enum { NAME = 1, CPU, NANOSECONDS, BUILD_ID, HEX, PATH, THREAD };

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_WHOLE;
}

static int leave(void **state)
{
	(void)state;
	source_close(source);
	source = NULL;
	given_none();
	arena_release(&run);
	file.n = dictionary.n = earlier.n = 0;
	process = 4711;
	return 0;
}

static struct reader *open_file(void)
{
	struct source_opts opts = {
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};

	diag = (struct diag){ .prog = "test", .quiet = true, .limit = 1 };
	source = source_open(given(&run, wiremade_bytes(&file)), &opts);
	assert_non_null(source);
	return reader_open(source, 0, &run, &diag);
}

static void add_empty(unsigned table)
{
	part.n = 0;
	wiremade_message(&dictionary, table, &part);
}

/* Entry 1 of each table, after the entry 0 that means "none". */
static void add_dictionary(void)
{
	static const char *const text[] = { "",
		                            "parse",
		                            "cpu",
		                            "nanoseconds",
		                            "process.executable.build_id.gnu",
		                            "0102ff",
		                            "/srv/app/shop",
		                            "thread.name" };

	add_empty(1);
	part.n = 0;
	wiremade_number(&part, 1, 0x1000);
	wiremade_number(&part, 2, 0x2000);
	wiremade_number(&part, 4, PATH);
	wiremade_number(&part, 5, 1);
	wiremade_message(&dictionary, 1, &part);
	add_empty(2);
	part.n = inner.n = 0;
	wiremade_number(&part, 1, 1);
	wiremade_number(&part, 2, 0x1234);
	wiremade_number(&inner, 1, 1);
	wiremade_number(&inner, 2, 17);
	wiremade_message(&part, 3, &inner);
	wiremade_message(&dictionary, 2, &part);
	add_empty(3);
	part.n = 0;
	wiremade_number(&part, 1, NAME);
	wiremade_message(&dictionary, 3, &part);
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		wiremade_text(&dictionary, 5, text[i]);
	add_empty(6);
	for (unsigned key = BUILD_ID; key <= THREAD; key += THREAD - BUILD_ID) {
		part.n = inner.n = 0;
		wiremade_number(&part, 1, key);
		wiremade_text(&inner, 1, key == THREAD ? "worker" : "0102ff");
		wiremade_message(&part, 2, &inner);
		wiremade_message(&dictionary, 6, &part);
	}
	add_empty(7);
	part.n = inner.n = 0;
	wiremade_varint(&inner, 1);
	wiremade_message(&part, 1, &inner);
	wiremade_message(&dictionary, 7, &part);
}

/* Writes a profile with the sample in `part`, of that process, and the dictionary. */
static void add_profile(void)
{
	outer.n = inner.n = 0;
	wiremade_number(&inner, 1, CPU);
	wiremade_number(&inner, 2, NANOSECONDS);
	wiremade_message(&outer, 1, &inner);
	if (earlier.n)
		wiremade_message(&outer, 2, &earlier);
	wiremade_message(&outer, 2, &part);
	part.n = inner.n = 0;
	wiremade_message(&part, 2, &outer); /* ScopeProfiles */
	outer.n = 0;
	wiremade_number(&inner, 3, process);
	{
		static struct wiremade key, resource;

		key.n = resource.n = 0;
		wiremade_text(&key, 1, "process.pid");
		wiremade_message(&key, 2, &inner);
		wiremade_message(&resource, 1, &key);
		wiremade_message(&outer, 1, &resource);
	}
	wiremade_message(&outer, 2, &part);
	wiremade_message(&file, 1, &outer);
	add_dictionary();
	wiremade_message(&file, 2, &dictionary);
}

static void put_packed(unsigned field, uint64_t v)
{
	inner.n = 0;
	wiremade_varint(&inner, v);
	wiremade_message(&part, field, &inner);
}

static void check_sample(uint64_t weight, const char *comm)
{
	struct reader *r = open_file();
	struct location at;
	struct event ev;

	assert_non_null(r);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.kind, EV_MMAP);
	assert_int_equal(ev.map.start, 0x1000);
	assert_int_equal(ev.map.len, 0x1000);
	assert_true(str_eq(ev.map.path, STR("/srv/app/shop")));
	assert_true(str_eq(ev.map.build_id, STR("\1\2\xff")));
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.kind, EV_SAMPLE);
	assert_int_equal(ev.weight, weight);
	assert_int_equal(ev.pid, 4711);
	assert_true(str_eq(ev.comm, str_of(comm)));
	assert_true(str_eq(ev.attr->name, STR("cpu")));
	reader_frames(r, &ev);
	assert_int_equal(ev.nframes, 1);
	assert_int_equal(ev.frames[0].ip, 0x1234);
	at = reader_location(r, ev.frames[0].known);
	assert_int_equal(at.mapping, 2 * 2 - 1);
	assert_int_equal(at.nlines, 1);
	assert_true(str_eq(at.lines[0].func, STR("parse")));
	assert_int_equal(at.lines[0].line, 17);
	assert_int_equal(reader_next(r, &ev), 0);
	reader_close(r);
}

static void layout_of_1_9(void **state)
{
	(void)state;
	part.n = 0;
	wiremade_number(&part, 1, 1);
	put_packed(2, 300);
	put_packed(3, 2);
	add_profile();
	check_sample(300, "worker");
	assert_int_equal(diag.warned, 0);
}

static void layout_of_1_10(void **state)
{
	(void)state;
	part.n = 0;
	wiremade_number(&part, 1, 1);
	put_packed(2, 2);
	put_packed(4, 300);
	add_profile();
	check_sample(300, "worker");
	assert_int_equal(diag.warned, 0);
}

static void values_that_are_no_attributes_show_1_9(void **state)
{
	(void)state;
	part.n = 0;
	wiremade_number(&part, 1, 1);
	put_packed(2, 300);
	add_profile();
	check_sample(300, "[unknown]");
	assert_int_equal(diag.warned, 0);
}

/* Then each time counts 1. */
static void both_layouts_fit(void **state)
{
	(void)state;
	part.n = 0;
	wiremade_number(&part, 1, 1);
	put_packed(2, 2);
	wiremade_text(&part, 5, "\1\2\3\4\5\6\7\10");
	add_profile();
	check_sample(1, "worker");
	assert_int_equal(diag.warned, 1);
}

/* Reads a file with the damaged sample in `part`, before a sample that fits both layouts. */
static void check_after_damage(void)
{
	struct reader *r;
	struct event ev;
	int got, n = 0;

	earlier = part;
	part.n = 0;
	wiremade_number(&part, 1, 1);
	put_packed(2, 2);
	wiremade_text(&part, 5, "\1\2\3\4\5\6\7\10");
	add_profile();
	r = open_file();
	assert_non_null(r);
	while ((got = reader_next(r, &ev)) != 0)
		if (got > 0 && ev.kind == EV_SAMPLE) {
			assert_int_equal(ev.weight, 1);
			n++;
		}
	reader_close(r);
	assert_int_equal(n, 1);
	assert_int_equal(diag.warned, 1);
	assert_int_equal(diag.damaged, 1);
}

/* Fields of the damaged samples would show the layout of 1.9. */
static void damaged_samples_do_not_decide_the_layout(void **state)
{
	(void)state;
	part.n = 0;
	wiremade_number(&part, 1, 1);
	put_packed(3, 2);
	part.bytes[part.n++] = 0;
	check_after_damage();
}

static void truncated_numbers_do_not_decide_the_layout(void **state)
{
	(void)state;
	part.n = 0;
	wiremade_number(&part, 1, 1);
	wiremade_text(&part, 2, "\xff");
	check_after_damage();
}

/* All beginnings of two bytes, in fields of up to 16 bytes. */
static void short_fields_are_read_as_all_fields(void **state)
{
	char bytes[16];

	(void)state;
	memset(bytes, 1, sizeof(bytes));
	for (unsigned i = 0; i < 1 << 16; i++) {
		bytes[0] = (char)(i & 0xff);
		bytes[1] = (char)(i >> 8);
		for (size_t n = 0; n <= sizeof(bytes); n += n < 4 ? 1 : 6) {
			struct cursor a = cur_little((struct str){ bytes, n }), b = a;
			struct wire x = { 0 }, y = { 0 };
			bool got = wire_next(&a, &x);

			assert_int_equal(wire_next_short(&b, &y), got);
			assert_int_equal(a.bad, b.bad);
			if (!got)
				continue;
			assert_ptr_equal(a.p, b.p);
			assert_int_equal(x.field, y.field);
			assert_int_equal(x.type, y.type);
			assert_int_equal(x.n, y.n);
			assert_true(str_eq(x.bytes, y.bytes));
			assert_true(str_eq(x.whole, y.whole));
		}
	}
}

static void times_and_values_are_pairs(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	part.n = inner.n = 0;
	wiremade_number(&part, 1, 1);
	wiremade_varint(&inner, 5);
	wiremade_varint(&inner, 6);
	wiremade_message(&part, 4, &inner);
	wiremade_text(&part, 5, "\1\1\1\1\1\1\1\1\2\1\1\1\1\1\1\1");
	add_profile();
	r = open_file();
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 5);
	assert_true(ev.has_time);
	assert_int_equal(ev.time_ns, 0x0101010101010101);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 6);
	assert_int_equal(ev.time_ns, 0x0101010101010102);
	assert_int_equal(reader_next(r, &ev), 0);
	reader_close(r);
}

/* Puts the length of a message before it, as many times as the file has the message. */
static void repeat_with_length(int times, size_t length)
{
	static struct wiremade one;

	one = file;
	file.n = 0;
	for (int i = 0; i < times; i++) {
		const char prefix[] = { (char)(length >> 24), (char)(length >> 16),
			                (char)(length >> 8), (char)length };

		memcpy(file.bytes + file.n, prefix, sizeof(prefix));
		memcpy(file.bytes + file.n + sizeof(prefix), one.bytes, one.n);
		file.n += sizeof(prefix) + one.n;
	}
}

/* Returns the number of samples of the file. */
static int count_samples(void)
{
	struct reader *r = open_file();
	struct event ev;
	int n = 0;

	assert_non_null(r);
	/* The second pass reports nothing again. */
	for (int pass = 0; pass < 2; pass++, reader_rewind(r))
		while (reader_next(r, &ev) > 0)
			n += ev.kind == EV_SAMPLE;
	reader_close(r);
	assert_int_equal(n % 2, 0);
	return n / 2;
}

static void add_plain_profile(void)
{
	part.n = 0;
	wiremade_number(&part, 1, 1);
	put_packed(4, 300);
	add_profile();
}

static void messages_may_follow_their_lengths(void **state)
{
	struct reader *r;

	(void)state;
	add_plain_profile();
	repeat_with_length(2, file.n);
	assert_int_equal(count_samples(), 2);
	assert_int_equal(diag.damaged, 0);
	r = open_file();
	assert_int_equal(reader_locations(r), 4);
	reader_close(r);
}

static void a_truncated_message_is_damage(void **state)
{
	(void)state;
	add_plain_profile();
	repeat_with_length(2, file.n);
	file.n -= 3;
	assert_int_equal(count_samples(), 2);
	assert_int_equal(diag.damaged, 1);
}

static void a_truncated_length_is_damage(void **state)
{
	(void)state;
	add_plain_profile();
	repeat_with_length(1, file.n);
	file.bytes[file.n++] = 0;
	assert_int_equal(count_samples(), 1);
	assert_int_equal(diag.damaged, 1);
}

static void damaged_samples_are_reported_once(void **state)
{
	(void)state;
	part.n = 0;
	wiremade_number(&part, 1, 1);
	put_packed(4, 300);
	part.bytes[part.n++] = 0;
	add_profile();
	assert_int_equal(count_samples(), 0);
	assert_int_equal(diag.damaged, 1);
}

static void damaged_entries_are_reported(void **state)
{
	(void)state;
	add_plain_profile();
	part.n = 0;
	wiremade_text(&part, 1, "\x80");
	dictionary.n = 0;
	wiremade_message(&dictionary, 7, &part);
	wiremade_text(&dictionary, 3, "\1");
	wiremade_message(&file, 2, &dictionary);
	assert_int_equal(count_samples(), 1);
	assert_int_equal(diag.damaged, 2);
}

static void values_in_several_fields_are_damage(void **state)
{
	(void)state;
	part.n = 0;
	wiremade_number(&part, 1, 1);
	put_packed(4, 300);
	put_packed(4, 5);
	add_profile();
	assert_int_equal(count_samples(), 0);
	assert_int_equal(diag.damaged, 1);
}

/* Adds a sample with the stack, a value and, if it is not 0, a time. */
static void put_sample(uint64_t stack, uint64_t value, unsigned time)
{
	part.n = 0;
	wiremade_number(&part, 1, stack);
	put_packed(4, value);
	if (time)
		wiremade_text(&part, 5, (char[]){ (char)time, 1, 1, 1, 1, 1, 1, 1, 0 });
	wiremade_message(&outer, 2, &part);
}

/* Opens the file with samples that were added to `outer`. */
static struct reader *open_samples(void)
{
	part.n = 0;
	wiremade_message(&part, 2, &outer);
	outer.n = 0;
	wiremade_message(&outer, 2, &part);
	wiremade_message(&file, 1, &outer);
	add_dictionary();
	wiremade_message(&file, 2, &dictionary);
	return open_file();
}

static void samples_of_a_stack_are_joined(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	outer.n = 0;
	put_sample(1, 300, 0);
	put_sample(0, 7, 0);
	put_sample(1, 44, 0);
	put_sample(1, 0, 0);
	r = open_samples();
	reader_join(r, false);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 344);
	assert_int_equal(ev.repeats, 1);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 7);
	assert_int_equal(ev.repeats, 0);
	assert_int_equal(reader_next(r, &ev), 0);
	reader_close(r);
}

/* reader_skim must not take the first sample for the event of this stack. */
static void a_sample_without_values_is_not_skimmed(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	outer.n = part.n = 0;
	wiremade_number(&part, 1, 1);
	wiremade_message(&outer, 2, &part);
	put_sample(1, 44, 0);
	r = open_samples();
	reader_skim(r, &(struct skimming){ 0 });
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.kind, EV_SAMPLE);
	assert_int_equal(reader_next(r, &ev), 0);
	reader_close(r);
}

static void times_prevent_joining(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	outer.n = 0;
	put_sample(1, 300, 1);
	put_sample(1, 44, 2);
	r = open_samples();
	reader_join(r, false);
	for (int i = 0; i < 3; i++)
		assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 44);
	assert_true(ev.has_time);
	reader_rewind(r);
	reader_join(r, true);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 344);
	assert_int_equal(ev.time_ns, 0x101010101010101);
	assert_int_equal(ev.until_ns, 0x101010101010102);
	assert_int_equal(reader_next(r, &ev), 0);
	reader_close(r);
}

static void a_value_without_a_time_has_none(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	part.n = inner.n = 0;
	wiremade_number(&part, 1, 1);
	wiremade_varint(&inner, 5);
	wiremade_varint(&inner, 6);
	wiremade_message(&part, 4, &inner);
	wiremade_text(&part, 5, "\1\1\1\1\1\1\1\1");
	add_profile();
	r = open_file();
	for (int i = 0; i < 3; i++)
		assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 6);
	assert_false(ev.has_time);
	reader_close(r);
}

static void a_negative_process_is_unknown(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	process = (uint64_t)-5;
	add_plain_profile();
	r = open_file();
	for (int i = 0; i < 2; i++)
		assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.pid, -1);
	reader_close(r);
}

static void older_layouts_are_refused(void **state)
{
	(void)state;
	/* In 1.7, field 3 of a profile has indices of locations. */
	part.n = 0;
	wiremade_number(&part, 1, 1);
	outer.n = inner.n = 0;
	wiremade_message(&outer, 2, &part);
	put_packed(1, 1);
	wiremade_message(&outer, 3, &inner);
	part.n = 0;
	wiremade_message(&part, 2, &outer);
	outer.n = 0;
	wiremade_message(&outer, 2, &part);
	wiremade_message(&file, 1, &outer);
	add_dictionary();
	wiremade_message(&file, 2, &dictionary);
	assert_null(open_file());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(layout_of_1_9, leave),
		cmocka_unit_test_teardown(layout_of_1_10, leave),
		cmocka_unit_test_teardown(values_that_are_no_attributes_show_1_9, leave),
		cmocka_unit_test_teardown(both_layouts_fit, leave),
		cmocka_unit_test_teardown(damaged_samples_do_not_decide_the_layout,
		                          leave),
		cmocka_unit_test_teardown(truncated_numbers_do_not_decide_the_layout,
		                          leave),
		cmocka_unit_test(short_fields_are_read_as_all_fields),
		cmocka_unit_test_teardown(times_and_values_are_pairs, leave),
		cmocka_unit_test_teardown(messages_may_follow_their_lengths, leave),
		cmocka_unit_test_teardown(a_truncated_message_is_damage, leave),
		cmocka_unit_test_teardown(a_truncated_length_is_damage, leave),
		cmocka_unit_test_teardown(damaged_samples_are_reported_once, leave),
		cmocka_unit_test_teardown(damaged_entries_are_reported, leave),
		cmocka_unit_test_teardown(values_in_several_fields_are_damage, leave),
		cmocka_unit_test_teardown(a_value_without_a_time_has_none, leave),
		cmocka_unit_test_teardown(samples_of_a_stack_are_joined, leave),
		cmocka_unit_test_teardown(times_prevent_joining, leave),
		cmocka_unit_test_teardown(a_sample_without_values_is_not_skimmed, leave),
		cmocka_unit_test_teardown(a_negative_process_is_unknown, leave),
		cmocka_unit_test_teardown(older_layouts_are_refused, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
