/* Which profiles are divided among workers. */
#include "symbol/part.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "perfgen.h"
#include "reader/fields.h"

/* SIZE_AT, FEATURES_AT: offsets in the header */
enum { ROUND = 1000, MIXED = 0x127, SIZE_AT = 48, FEATURES_AT = 72 };

static struct arena run;
static struct gen g;

static void put_sample(size_t stack)
{
	gen_open(&g, 9, 2);
	gen_u64(&g, 0x1010);
	gen_u32(&g, 7);
	gen_u32(&g, 7);
	gen_u64(&g, 1);
	gen_u64(&g, 1);
	gen_u64(&g, 0);
	if (stack) {
		gen_u64(&g, stack);
		gen_zeros(&g, stack);
		gen_u64(&g, stack);
	}
	gen_close(&g);
}

/* A perf.data with n samples, and rounds of 1,000 samples.  stack: bytes of each copied stack. */
static struct str samples(size_t n, size_t stack)
{
	const struct gen_event event = {
		.name = "cpu-clock",
		.type = 1,
		.sample_type = MIXED | (stack ? HAS_STACK_USER : 0),
		.id = 7,
	};
	struct str one, round;
	size_t at, size;
	char *bytes, *to;

	gen_start(&g, &event, 1);
	put_sample(stack);
	at = g.n;
	gen_open(&g, 68, 0);
	gen_close(&g);
	one = (struct str){ g.bytes + g.data_at, at - g.data_at };
	round = (struct str){ g.bytes + at, g.n - at };
	size = n * one.n + n / ROUND * round.n;
	bytes = to = arena_alloc(&run, g.data_at + size, 1);
	gen_finish(&g);
	gen_number(&g, SIZE_AT, size, 8);
	gen_number(&g, FEATURES_AT, 0, 8);
	memcpy(to, g.bytes, g.data_at);
	to += g.data_at;
	for (size_t i = 1; i <= n; i++) {
		memcpy(to, one.p, one.n);
		to += one.n;
		if (i % ROUND)
			continue;
		memcpy(to, round.p, round.n);
		to += round.n;
	}
	return (struct str){ bytes, g.data_at + size };
}

/* Returns the number of parts.  named: there is a map, so profile_learn notes frames. */
static size_t parts(struct str bytes, bool named, struct part_opts opts)
{
	const char *map = given_text(&run, "1000 100 A\n");
	struct diag diag = { .prog = "part", .quiet = true };
	struct profile *p =
	        profile_open(&(struct profile_opts){ .input = given(&run, bytes),
	                                             .formats = READ_SAMPLES,
	                                             .sources = &map,
	                                             .nsources = named,
	                                             .diag = &diag });
	size_t n;

	assert_non_null(p);
	part_slice(p, &opts);
	profile_learn(p);
	n = part_plan(p, &opts);
	assert_int_equal(diag.damaged, 0);
	profile_close(p);
	return n;
}

static int leave(void **state)
{
	(void)state;
	given_none();
	arena_release(&run);
	return 0;
}

static void few_samples_are_not_divided(void **state)
{
	const struct part_opts two = { .workers = 2 }, eight = { .workers = 8 };
	const struct part_opts forced = { .workers = 2, .forced = true };
	struct str few = samples(455000, 0), some = samples(460000, 0);
	struct str many = samples(800000, 0);

	(void)state;
	for (int named = 0; named < 2; named++) {
		assert_int_equal(parts(some, named, two), 0);
		assert_in_range(parts(some, named, forced), 2, SIZE_MAX);
		assert_in_range(parts(many, named, two), 2, SIZE_MAX);
	}
	assert_int_equal(parts(few, false, eight), 0);
	assert_in_range(parts(some, false, eight), 2, SIZE_MAX);
}

static void unwound_stacks_count_more(void **state)
{
	const struct part_opts two = { .workers = 2 };

	(void)state;
	assert_int_equal(parts(samples(66000, 512), false, two), 0);
	assert_in_range(parts(samples(67000, 512), false, two), 2, SIZE_MAX);
}

/* A text of this size that is empty after its first sample. */
static size_t text_parts(off_t size, bool forced)
{
	const char *path =
	        given_text(&run, "app 7 1.000001: 1 cycles:\n\t10 main (app)\n\n");
	struct diag diag = { .prog = "part", .quiet = true };
	struct profile *p;
	size_t n;

	assert_int_equal(truncate(path, size), 0);
	p = profile_open(&(struct profile_opts){
	        .input = path, .formats = READ_SAMPLES, .diag = &diag });
	assert_non_null(p);
	n = part_plan(p, &(struct part_opts){ .workers = 2, .forced = forced });
	profile_close(p);
	return n;
}

static void short_texts_are_not_divided(void **state)
{
	(void)state;
	assert_int_equal(text_parts((256 << 20) - 1, false), 0);
	assert_in_range(text_parts((256 << 20) - 1, true), 2, SIZE_MAX);
	assert_in_range(text_parts(256 << 20, false), 2, SIZE_MAX);
}

/* Files of less than 16 MiB */
static void small_files_are_not_divided(void **state)
{
	(void)state;
	assert_int_equal(
	        parts(samples(200000, 0), false, (struct part_opts){ .workers = 2 }), 0);
	assert_in_range(parts(samples(200000, 0), false,
	                      (struct part_opts){ .workers = 2, .forced = true }),
	                2, SIZE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(few_samples_are_not_divided, leave),
		cmocka_unit_test_teardown(unwound_stacks_count_more, leave),
		cmocka_unit_test_teardown(short_texts_are_not_divided, leave),
		cmocka_unit_test_teardown(small_files_are_not_divided, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
