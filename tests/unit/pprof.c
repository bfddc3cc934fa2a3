#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "given.h"
#include "reader/reader.h"
#include "wiremade.h"

static struct arena run;
static struct diag diag;
static struct source *source;
static struct wiremade file, part, inner;

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
	file.n = 0;
	return 0;
}

static struct reader *open_file(void)
{
	struct source_opts opts = {
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};

	diag = (struct diag){ .prog = "test", .quiet = true };
	source = source_open(given(&run, wiremade_bytes(&file)), &opts);
	assert_non_null(source);
	return reader_open(source, 0, &run, &diag);
}

static void add_type(uint64_t type, uint64_t unit)
{
	part.n = 0;
	wiremade_number(&part, 1, type);
	wiremade_number(&part, 2, unit);
	wiremade_message(&file, 1, &part);
}

static void add_map(uint64_t id, uint64_t start, uint64_t limit, uint64_t off,
                    uint64_t path)
{
	part.n = 0;
	wiremade_number(&part, 1, id);
	wiremade_number(&part, 2, start);
	wiremade_number(&part, 3, limit);
	wiremade_number(&part, 4, off);
	wiremade_number(&part, 5, path);
	wiremade_number(&part, 6, 7);
	wiremade_message(&file, 3, &part);
}

static void add_location(uint64_t id, uint64_t map, uint64_t addr, uint64_t function)
{
	part.n = 0;
	wiremade_number(&part, 1, id);
	wiremade_number(&part, 2, map);
	wiremade_number(&part, 3, addr);
	if (function) {
		inner.n = 0;
		wiremade_number(&inner, 1, function);
		wiremade_number(&inner, 2, 17);
		wiremade_message(&part, 4, &inner);
	}
	wiremade_message(&file, 4, &part);
}

static void add_function(uint64_t id, uint64_t name)
{
	part.n = 0;
	wiremade_number(&part, 1, id);
	wiremade_number(&part, 2, name);
	wiremade_number(&part, 4, 6);
	wiremade_number(&part, 5, 12);
	wiremade_message(&file, 5, &part);
}

/* Strings: 0 "", 1 samples, 2 count, 3 cpu, 4 nanoseconds, 5 main, 6 path, 7 build-id, ... */
static void add_strings(void)
{
	static const char *const text[] = {
		"",      "samples",       "count",  "cpu", "nanoseconds",
		"main",  "/srv/app/shop", "0102ff", "pid", "thread",
		"worker"
	};

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		wiremade_text(&file, 6, text[i]);
}

/* A sample of location 9, called by location 1, with the values 2 and 300. */
static void add_sample_of(uint64_t pid, bool packed)
{
	part.n = inner.n = 0;
	if (packed) {
		wiremade_varint(&inner, 9);
		wiremade_varint(&inner, 1);
		wiremade_message(&part, 1, &inner);
	} else {
		wiremade_number(&part, 1, 9);
		wiremade_number(&part, 1, 1);
	}
	wiremade_number(&part, 2, 2);
	wiremade_number(&part, 2, 300);
	inner.n = 0;
	wiremade_number(&inner, 1, 8);
	wiremade_number(&inner, 3, pid);
	wiremade_message(&part, 3, &inner);
	inner.n = 0;
	wiremade_number(&inner, 1, 9);
	wiremade_number(&inner, 2, 10);
	wiremade_message(&part, 3, &inner);
	wiremade_message(&file, 2, &part);
}

static void add_sample(bool packed)
{
	add_sample_of(4711, packed);
}

static void add_tables(void)
{
	add_map(1, 0x400000, 0x500000, 0x1000, 6);
	add_location(1, 1, 0x401234, 3);
	add_location(9, 1, 0x77, 0);
	add_function(3, 5);
	add_strings();
}

static void samples_may_precede_tables(void **state)
{
	struct location at;
	struct reader *r;
	struct event ev;

	(void)state;
	add_type(1, 2);
	add_type(3, 4);
	add_sample(true);
	add_tables();
	r = open_file();
	assert_non_null(r);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.kind, EV_MMAP);
	assert_int_equal(ev.map.number, 1);
	assert_int_equal(ev.map.start, 0x400000);
	assert_int_equal(ev.map.len, 0x100000);
	assert_int_equal(ev.map.file_off, 0x1000);
	assert_true(str_eq(ev.map.path, STR("/srv/app/shop")));
	assert_true(str_eq(ev.map.build_id, STR("\1\2\xff")));
	/* The other half has addresses out of the range. */
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.map.number, 2);
	assert_int_equal(ev.map.len, 0);
	/* The last column is the default. */
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.kind, EV_SAMPLE);
	assert_int_equal(ev.weight, 300);
	assert_true(str_eq(ev.attr->name, STR("cpu")));
	assert_true(str_eq(ev.attr->unit, STR("nanoseconds")));
	assert_true(str_eq(ev.comm, STR("worker")));
	assert_int_equal(ev.pid, 4711);
	reader_frames(r, &ev);
	assert_int_equal(ev.nframes, 2);
	assert_int_equal(ev.frames[0].ip, 0x77);
	assert_false(ev.frames[0].caller);
	assert_true(ev.frames[1].caller);
	at = reader_location(r, ev.frames[0].known);
	assert_int_equal(at.mapping, 2);
	assert_int_equal(at.nlines, 0);
	at = reader_location(r, ev.frames[1].known);
	assert_int_equal(at.mapping, 1);
	assert_int_equal(at.nlines, 1);
	assert_true(str_eq(at.lines[0].func, STR("main")));
	assert_true(str_eq(at.lines[0].file, STR("/srv/app/shop")));
	assert_int_equal(at.lines[0].line, 17);
	assert_int_equal(at.lines[0].begins, 12);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 2);
	assert_true(str_eq(ev.attr->name, STR("samples")));
	assert_int_equal(reader_next(r, &ev), 0);
	assert_int_equal(diag.damaged, 0);
	reader_close(r);
}

static void default_type_is_first(void **state)
{
	const struct attr *const *attrs;
	struct reader *r;

	(void)state;
	add_type(1, 2);
	add_type(3, 4);
	wiremade_number(&file, 14, 1);
	add_sample(false);
	add_tables();
	r = open_file();
	assert_int_equal(reader_attrs(r, &attrs), 2);
	assert_true(str_eq(attrs[0]->name, STR("samples")));
	reader_close(r);
}

/* Skips the mappings.  Returns the result for the first event after them. */
static int first_sample(struct reader *r, struct event *ev)
{
	int got;

	while ((got = reader_next(r, ev)) > 0 && ev->kind == EV_MMAP)
		;
	return got;
}

static void skimming_omits_equal_stacks_of_a_process(void **state)
{
	struct reader *r;
	struct event ev;
	int n = 1;

	(void)state;
	add_type(1, 2);
	add_type(3, 4);
	add_sample_of(4711, true);
	add_sample_of(4711, true);
	add_sample_of(4712, true);
	add_tables();
	r = open_file();
	reader_skim(r, &(struct skimming){ 0 });
	assert_int_equal(first_sample(r, &ev), 1);
	assert_int_equal(ev.pid, 4711);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.pid, 4712);
	assert_int_equal(reader_next(r, &ev), 0);
	reader_skim(r, NULL);
	reader_rewind(r);
	assert_int_equal(first_sample(r, &ev), 1);
	while (reader_next(r, &ev))
		n++;
	assert_int_equal(n, 6);
	reader_close(r);
}

/* Reads the rest of a profile.  Returns the number of events, and adds their repeats to *repeats. */
static int count_events(struct reader *r, uint64_t *repeats)
{
	struct event ev;
	int n = 0;

	for (; reader_next(r, &ev) > 0; n++)
		*repeats += ev.repeats;
	return n;
}

static void joining_delivers_equal_samples_once(void **state)
{
	uint64_t repeats = 0;
	struct reader *r;
	struct event ev;

	(void)state;
	add_type(1, 2);
	add_type(3, 4);
	add_sample_of(4711, true);
	add_sample_of(4712, true);
	add_sample_of(4711, true);
	add_sample_of(4711, true);
	add_tables();
	r = open_file();
	reader_join(r, false);
	assert_int_equal(first_sample(r, &ev), 1);
	assert_int_equal(ev.pid, 4711);
	assert_int_equal(ev.weight, 900);
	assert_int_equal(ev.repeats, 2);
	reader_frames(r, &ev);
	assert_int_equal(ev.nframes, 2);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 6);
	assert_int_equal(ev.repeats, 2);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.pid, 4712);
	assert_int_equal(ev.repeats, 0);
	assert_int_equal(count_events(r, &repeats), 1);
	assert_int_equal(repeats, 0);
	reader_close(r);
}

/* Samples are not joined if a damaged sample must be reported at its place. */
static void damage_prevents_joining(void **state)
{
	uint64_t repeats = 0;
	struct reader *r;
	struct event ev;

	(void)state;
	add_type(1, 2);
	add_sample_of(4711, true);
	add_sample_of(4711, true);
	part.n = 0;
	wiremade_number(&part, 1, 9);
	wiremade_number(&part, 2, (uint64_t)-5);
	wiremade_message(&file, 2, &part);
	add_tables();
	r = open_file();
	reader_join(r, false);
	assert_int_equal(first_sample(r, &ev), 1);
	assert_int_equal(ev.repeats, 0);
	assert_int_equal(count_events(r, &repeats), 1);
	assert_int_equal(diag.damaged, 1);
	assert_int_equal(repeats, 0);
	reader_close(r);
}

static void numbers_need_not_be_packed(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	add_type(1, 2);
	add_type(3, 4);
	add_tables();
	add_sample(false);
	r = open_file();
	assert_int_equal(first_sample(r, &ev), 1);
	assert_int_equal(ev.weight, 300);
	reader_frames(r, &ev);
	assert_int_equal(ev.nframes, 2);
	assert_int_equal(ev.frames[1].ip, 0x401234);
	reader_close(r);
}

static void missing_locations_are_unknown_frames(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	add_type(1, 2);
	add_type(3, 4);
	add_strings();
	add_sample(true);
	r = open_file();
	assert_int_equal(first_sample(r, &ev), 1);
	reader_frames(r, &ev);
	assert_int_equal(ev.nframes, 2);
	assert_int_equal(ev.frames[0].known, 0);
	reader_close(r);
}

static void a_negative_value_is_damage(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	add_type(1, 2);
	add_strings();
	part.n = 0;
	wiremade_number(&part, 2, (uint64_t)-5);
	wiremade_message(&file, 2, &part);
	add_sample(true);
	r = open_file();
	assert_int_equal(first_sample(r, &ev), -1);
	assert_int_equal(diag.damaged, 1);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 2);
	reader_rewind(r);
	assert_int_equal(first_sample(r, &ev), 1);
	assert_int_equal(diag.damaged, 1);
	reader_close(r);
}

static void a_truncated_file_keeps_its_samples(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	add_type(1, 2);
	add_type(3, 4);
	add_tables();
	add_sample(true);
	add_sample(true);
	file.n -= 3;
	r = open_file();
	assert_int_equal(diag.damaged, 1);
	assert_int_equal(first_sample(r, &ev), 1);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(reader_next(r, &ev), 0);
	reader_close(r);
}

/* Writes a sample with a truncated number in the packed field. */
static void add_cut(unsigned field)
{
	part.n = 0;
	if (field != 2)
		wiremade_number(&part, 2, 300);
	wiremade_text(&part, field, "\1\x80");
	wiremade_message(&file, 2, &part);
}

static void truncated_numbers_are_damage(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	add_type(1, 2);
	add_tables();
	add_cut(1);
	add_cut(2);
	r = open_file();
	assert_int_equal(first_sample(r, &ev), -1);
	assert_int_equal(reader_next(r, &ev), -1);
	assert_int_equal(reader_next(r, &ev), 0);
	assert_int_equal(diag.damaged, 2);
	reader_close(r);
}

static void the_url_of_a_document_may_come_first(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	wiremade_number(&file, 15, 1);
	add_type(1, 2);
	add_tables();
	add_sample(true);
	r = open_file();
	assert_non_null(r);
	assert_int_equal(first_sample(r, &ev), 1);
	reader_close(r);
}

static void a_long_text_is_no_build_id(void **state)
{
	char text[2 * 65 + 1] = { 0 };
	struct reader *r;
	struct event ev;

	(void)state;
	memset(text, '1', sizeof(text) - 1);
	add_type(1, 2);
	add_map(1, 0x400000, 0x500000, 0x1000, 6);
	add_location(9, 1, 0x401234, 0);
	for (int i = 0; i < 7; i++)
		wiremade_text(&file, 6, "");
	wiremade_text(&file, 6, text);
	add_sample(true);
	r = open_file();
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.kind, EV_MMAP);
	assert_int_equal(ev.map.build_id.n, 0);
	reader_close(r);
}

/* A sample has two values, so the third type has no value. */
static void values_may_be_missing(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	for (unsigned name = 1; name <= 3; name++)
		add_type(name, 2);
	add_tables();
	add_sample(true);
	r = open_file();
	assert_int_equal(first_sample(r, &ev), 1);
	assert_int_equal(ev.weight, 2);
	assert_int_equal(reader_next(r, &ev), 1);
	assert_int_equal(ev.weight, 300);
	assert_int_equal(reader_next(r, &ev), 0);
	reader_close(r);
}

static void other_messages_are_refused(void **state)
{
	(void)state;
	assert_null(reader_bid(STR("\n\n\nmain;parse\n")));
	assert_null(reader_bid(STR("\x32\x04main")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(samples_may_precede_tables, leave),
		cmocka_unit_test_teardown(default_type_is_first, leave),
		cmocka_unit_test_teardown(skimming_omits_equal_stacks_of_a_process,
		                          leave),
		cmocka_unit_test_teardown(joining_delivers_equal_samples_once, leave),
		cmocka_unit_test_teardown(damage_prevents_joining, leave),
		cmocka_unit_test_teardown(numbers_need_not_be_packed, leave),
		cmocka_unit_test_teardown(missing_locations_are_unknown_frames, leave),
		cmocka_unit_test_teardown(a_negative_value_is_damage, leave),
		cmocka_unit_test_teardown(a_truncated_file_keeps_its_samples, leave),
		cmocka_unit_test_teardown(truncated_numbers_are_damage, leave),
		cmocka_unit_test_teardown(the_url_of_a_document_may_come_first, leave),
		cmocka_unit_test_teardown(a_long_text_is_no_build_id, leave),
		cmocka_unit_test_teardown(values_may_be_missing, leave),
		cmocka_unit_test_teardown(other_messages_are_refused, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
