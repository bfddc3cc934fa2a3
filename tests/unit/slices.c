/* slices: parts of a profile's time. */
#include "stack/slices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { STACKS = 3 };

static struct arena arena;
static struct stacks tree; /* 1, 1;2 and 3, named by 10, 20 and 30 */

static struct slices begin(struct slices_opts opts)
{
	struct slices s;
	stack_id one;

	arena_release(&arena);
	stack_init(&tree, &arena);
	one = stack_push(&tree, 0, 10);
	stack_push(&tree, one, 20);
	stack_push(&tree, 0, 30);
	slices_init(&s, &arena, &opts);
	return s;
}

static void add(struct slices *s, uint64_t ns, stack_id stack, uint64_t weight)
{
	slices_add(s, ns, stack, weight);
}

/* The next slice has that number, so many samples, and weights by stack. */
static void next_is(const struct slices *s, size_t *at, uint64_t number, uint64_t samples,
                    const uint64_t weight[STACKS])
{
	struct stacks own = { .arena = &arena };
	struct slice slice;
	stack_id ids[STACKS];

	assert_true(slices_next(s, at, &slice));
	assert_int_equal(slice.number, number);
	assert_int_equal(slice.samples, samples);
	slices_stacks(&slice, &tree, 0, &own);
	ids[0] = stack_push(&own, 0, 10);
	ids[1] = stack_push(&own, ids[0], 20);
	ids[2] = stack_push(&own, 0, 30);
	for (size_t i = 0; i < STACKS; i++)
		assert_int_equal(own.node[ids[i]].self, weight[i]);
	assert_int_equal(own.n, 1 + STACKS);
}

static void an_edge_is_of_the_later_slice(void **state)
{
	struct slices s = begin((struct slices_opts){ .us = 1000 });
	size_t at = 0;

	(void)state;
	add(&s, 5999999, 1, 1);
	add(&s, 6000000, 1, 2);
	add(&s, 6999999, 2, 4);
	add(&s, 7000000, 3, 8);
	slices_sort(&s);
	assert_int_equal(s.count, 3);
	assert_int_equal(slices_begin_us(&s), 5000);
	next_is(&s, &at, 0, 1, (uint64_t[]){ 1, 0, 0 });
	next_is(&s, &at, 1, 2, (uint64_t[]){ 2, 4, 0 });
	next_is(&s, &at, 2, 1, (uint64_t[]){ 0, 0, 8 });
	assert_false(slices_next(&s, &at, &(struct slice){ 0 }));
}

static void times_are_cut_to_microseconds(void **state)
{
	struct slices s = begin((struct slices_opts){ .us = 1 });
	size_t at = 0;

	(void)state;
	add(&s, 6001999, 1, 1);
	add(&s, 6001000, 1, 1);
	slices_sort(&s);
	next_is(&s, &at, 0, 2, (uint64_t[]){ 2, 0, 0 });
}

static void order_does_not_matter_and_gaps_count(void **state)
{
	struct slices s = begin((struct slices_opts){ .us = 1000000 });
	size_t at = 0;

	(void)state;
	add(&s, 9000000000, 2, 1);
	add(&s, 4000000000, 2, 2);
	add(&s, 9500000000, 2, 4);
	slices_sort(&s);
	next_is(&s, &at, 0, 1, (uint64_t[]){ 0, 2, 0 });
	next_is(&s, &at, 5, 2, (uint64_t[]){ 0, 5, 0 });
	assert_false(slices_next(&s, &at, &(struct slice){ 0 }));
}

/* The parts of an interval lie in its slices, and sum up to it. */
static void intervals_are_divided(void **state)
{
	struct slices s = begin((struct slices_opts){ .us = 1000 });
	size_t at = 0;

	(void)state;
	slices_add_span(&s, 5999000, 8000001, 1);
	slices_add_span(&s, 6000000, 7000000, 2);
	slices_add_span(&s, 7000000, 7000000, 3);
	slices_sort(&s);
	assert_int_equal(s.count, 4);
	assert_int_equal(s.undivided, 0);
	next_is(&s, &at, 0, 1, (uint64_t[]){ 1000, 0, 0 });
	next_is(&s, &at, 1, 1, (uint64_t[]){ 1000000, 1000000, 0 });
	next_is(&s, &at, 2, 1, (uint64_t[]){ 1000000, 0, 0 });
	next_is(&s, &at, 3, 0, (uint64_t[]){ 1, 0, 0 });
	assert_false(slices_next(&s, &at, &(struct slice){ 0 }));
}

/* Slices of a second that are no whole number of microseconds. */
static void parts_of_sevenths_have_their_lengths(void **state)
{
	struct slices s = begin((struct slices_opts){ .per_second = 7 });
	uint64_t sum = 0;
	struct slice slice;

	(void)state;
	slices_add_span(&s, 4900000000, 6100000000, 1);
	slices_sort(&s);
	assert_int_equal(s.count, 9);
	for (size_t at = 0; slices_next(&s, &at, &slice);) {
		assert_int_equal(slice.n, 1);
		assert_true(slice.weight->weight <= 142858000);
		sum += slice.weight->weight;
	}
	assert_int_equal(sum, 1200000000);
}

static void intervals_in_slices_of_samples_are_whole(void **state)
{
	struct slices s = begin((struct slices_opts){ .samples = 2 });
	size_t at = 0;

	(void)state;
	for (stack_id i = 1; i <= STACKS; i++)
		slices_add_span(&s, i, UINT64_MAX, i);
	slices_sort(&s);
	next_is(&s, &at, 0, 2, (uint64_t[]){ UINT64_MAX - 1, UINT64_MAX - 2, 0 });
	next_is(&s, &at, 1, 1, (uint64_t[]){ 0, 0, UINT64_MAX - 3 });
}

/* A record may claim a time that ends at the end of all times. */
static void parts_are_bounded(void **state)
{
	struct slices s = begin((struct slices_opts){ .us = 1 });
	size_t at = 0;

	(void)state;
	s.parts = SLICES_PARTS_MOST - 1;
	slices_add_span(&s, 0, UINT64_MAX, 1);
	slices_add_span(&s, 0, 1000, 2);
	slices_sort(&s);
	assert_int_equal(s.undivided, 1);
	next_is(&s, &at, 0, 2, (uint64_t[]){ 1000, 1000, 0 });
	next_is(&s, &at, 1, 0, (uint64_t[]){ UINT64_MAX - 1000, 0, 0 });
	assert_false(slices_next(&s, &at, &(struct slice){ 0 }));
	s = begin((struct slices_opts){ .us = UINT64_MAX / 1000000 * 1000000 });
	slices_add_span(&s, 1, UINT64_MAX, 1);
	assert_int_equal(s.n, 1);
}

static void samples_are_counted(void **state)
{
	struct slices s = begin((struct slices_opts){ .samples = 2 });
	size_t at = 0;

	(void)state;
	assert_false(slices_want_time(&s));
	for (stack_id i = 1; i <= STACKS; i++)
		slices_add(&s, 0, i, i);
	slices_sort(&s);
	assert_int_equal(slices_begin_us(&s), 0);
	next_is(&s, &at, 0, 2, (uint64_t[]){ 1, 2, 0 });
	next_is(&s, &at, 1, 1, (uint64_t[]){ 0, 0, 3 });
}

static void nothing_has_no_slice(void **state)
{
	struct slices s = begin((struct slices_opts){ .us = 7 });

	(void)state;
	assert_true(slices_want_time(&s));
	slices_sort(&s);
	assert_int_equal(s.count, 0);
	assert_false(slices_next(&s, &(size_t){ 0 }, &(struct slice){ 0 }));
}

static void seconds_begin_whole(void **state)
{
	struct slices s = begin((struct slices_opts){ .per_second = 50 });
	size_t at = 0;

	(void)state;
	add(&s, 641999999999, 1, 1);
	add(&s, 642019999999, 1, 2);
	add(&s, 642020000000, 1, 4);
	slices_sort(&s);
	assert_int_equal(slices_begin_us(&s), 641000000);
	next_is(&s, &at, 49, 1, (uint64_t[]){ 1, 0, 0 });
	next_is(&s, &at, 50, 1, (uint64_t[]){ 2, 0, 0 });
	next_is(&s, &at, 51, 1, (uint64_t[]){ 4, 0, 0 });
}

static void stacks_may_be_renamed(void **state)
{
	struct slices s = begin((struct slices_opts){ .us = 1000000 });
	size_t at = 0;

	(void)state;
	add(&s, 1000, 1, 1);
	add(&s, 1000, 2, 2);
	add(&s, 1000, 3, 4);
	slices_rename(&s, (stack_id[]){ 0, 3, 2, 3 });
	slices_sort(&s);
	next_is(&s, &at, 0, 3, (uint64_t[]){ 0, 2, 5 });
}

static void sums_saturate(void **state)
{
	struct slices s = begin((struct slices_opts){ .us = 1 });
	size_t at = 0;

	(void)state;
	add(&s, UINT64_MAX, 1, UINT64_MAX);
	add(&s, UINT64_MAX, 1, 1);
	slices_sort(&s);
	next_is(&s, &at, 0, 2, (uint64_t[]){ UINT64_MAX, 0, 0 });
}

/* pflame takes the nearest slot of what it reads. */
static void names_tell_slots_apart(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= SLICES_PER_SECOND_MOST; n++) {
		struct slices s = begin((struct slices_opts){ .per_second = n });

		for (uint64_t k = 0; k < 2 * n; k++) {
			struct str time = slices_name(&s, k, &arena);
			struct str whole = str_cut(&time, '.');
			uint64_t second, part, unit = 1;

			assert_true(str_is_dec(whole, &second));
			assert_true(str_is_dec(time, &part));
			for (size_t i = 0; i < time.n; i++)
				unit *= 10;
			assert_int_equal(second * n + (2 * part * n + unit) / (2 * unit),
			                 k);
		}
	}
}

static void names(void **state)
{
	struct slices s = begin((struct slices_opts){ .per_second = 50 });

	(void)state;
	assert_string_equal(slices_name(&s, 617, &arena).p, "12.34");
	assert_string_equal(slices_name(&s, 0, &arena).p, "0.00");
	s.opts = (struct slices_opts){ .us = 1 };
	assert_string_equal(slices_name(&s, 7, &arena).p, "000007");
	assert_string_equal(slices_name(&s, 1234567, &arena).p, "1234567");
}

static void options(void **state)
{
	static const char *const bad[] = { "",
		                           "0",
		                           "0s",
		                           "s",
		                           "1m",
		                           "1.5s",
		                           "-1",
		                           "1 s",
		                           "1ss",
		                           "18446744073709551615s",
		                           "18446744073709551616" };
	struct slices_opts o;

	(void)state;
	assert_true(slices_every(&o, "1s") && o.us == 1000000 && !o.samples);
	assert_true(slices_every(&o, "200ms") && o.us == 200000);
	assert_true(slices_every(&o, "50us") && o.us == 50);
	assert_true(slices_every(&o, "1000") && o.samples == 1000 && !o.us);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(slices_every(&o, bad[i]));
	assert_true(slices_by_second(&o, NULL) && o.per_second == 50 && !o.us);
	assert_true(slices_by_second(&o, "1000") && o.per_second == 1000);
	assert_false(slices_by_second(&o, "0"));
	assert_false(slices_by_second(&o, "1001"));
	assert_false(slices_by_second(&o, "x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_edge_is_of_the_later_slice),
		cmocka_unit_test(times_are_cut_to_microseconds),
		cmocka_unit_test(order_does_not_matter_and_gaps_count),
		cmocka_unit_test(intervals_are_divided),
		cmocka_unit_test(parts_of_sevenths_have_their_lengths),
		cmocka_unit_test(intervals_in_slices_of_samples_are_whole),
		cmocka_unit_test(parts_are_bounded),
		cmocka_unit_test(samples_are_counted),
		cmocka_unit_test(nothing_has_no_slice),
		cmocka_unit_test(seconds_begin_whole),
		cmocka_unit_test(stacks_may_be_renamed),
		cmocka_unit_test(sums_saturate),
		cmocka_unit_test(names_tell_slots_apart),
		cmocka_unit_test(names),
		cmocka_unit_test(options),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	arena_release(&arena);
	return failed;
}
