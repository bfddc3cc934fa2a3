/*
 * Memory of an arena is zeroed, aligned, kept when it grows, and closed behind what was asked
 * for where AddressSanitizer looks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#endif

/* n bytes at p can be used, and with AddressSanitizer none behind them. */
static void check_bounds(char *p, size_t n)
{
	assert_int_equal((uintptr_t)p % 16, 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(p[i], 0);
	memset(p, 0xff, n);
#ifdef WITH_ASAN
	assert_null(__asan_region_is_poisoned(p, n));
	assert_true(__asan_address_is_poisoned(p + n));
#endif
}

static void sizes_are_exact(void **state)
{
	struct arena a = { 0 };
	size_t sum = 0;

	(void)state;
	for (size_t n = 1; n < 40000; n += 1 + n / 7) {
		check_bounds(arena_alloc(&a, n, 1), n);
		sum += n;
	}
	assert_true(a.bytes >= sum);
	arena_release(&a);
	assert_int_equal(a.bytes, 0);
	assert_null(a.blocks);
}

/* Dense memory is like other memory, also if it was used and freed before. */
static void dense_memory_is_zeroed(void **state)
{
	struct arena a = { 0 };

	(void)state;
	for (size_t times = 0; times < 3; times++)
		for (size_t n = 1 << 10; n < 1 << 23; n *= 3) {
			char *p = arena_alloc_dense(&a, n, 1);

			check_bounds(p, n);
			arena_drop(&a, p, n, 1);
		}
	arena_release(&a);
}

static void growing_keeps_what_was_there(void **state)
{
	struct arena a = { 0 };
	uint32_t *list = NULL;
	size_t cap = 0;

	(void)state;
	for (uint32_t i = 0; i < 100000; i++) {
		list = arena_grow(&a, list, &cap, i + 1, sizeof *list);
		assert_int_equal(list[i], 0);
		list[i] = i + 1;
	}
	for (uint32_t i = 0; i < 100000; i++)
		assert_int_equal(list[i], i + 1);
#ifdef WITH_ASAN
	assert_true(__asan_address_is_poisoned(list + cap));
#endif
	arena_release(&a);
}

static void trimmed_arrays_keep_their_elements_and_can_grow(void **state)
{
	struct arena a = { 0 };
	uint32_t *list = NULL, *few = NULL;
	size_t cap = 0, n = 0, few_cap = 0;

	(void)state;
	for (uint32_t i = 0; i < 40000; i++)
		*arena_push(&a, list, n, cap) = i;
	arena_trim(&a, list, n, cap);
	assert_int_equal(cap, n);
#ifdef WITH_ASAN
	assert_true(__asan_address_is_poisoned(list + n));
#endif
	*arena_push(&a, list, n, cap) = 40000;
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(list[i], i);
	/* A small array has no block of its own. */
	arena_fit(&a, few, 9, few_cap);
	arena_trim(&a, few, 3, few_cap);
	assert_true(few_cap >= 9);
	arena_release(&a);
	assert_int_equal(a.bytes, 0);
}

static void own_blocks_are_dropped(void **state)
{
	struct arena a = { 0 };
	char *first = arena_alloc(&a, 100000, 1), *second = arena_alloc(&a, 50000, 2);
	char *small = arena_alloc(&a, 10, 1);
	size_t bytes = a.bytes;

	(void)state;
	arena_drop(&a, first, 100000, 1);
	assert_int_equal(a.bytes, bytes - 100000);
	arena_drop(&a, small, 10, 1);
	arena_drop(&a, NULL, 100000, 1);
	assert_int_equal(a.bytes, bytes - 100000);
	check_bounds(second, 100000);
	check_bounds(small, 10);
	arena_release(&a);
}

static void copies_end_in_nul(void **state)
{
	struct arena a = { 0 };
	struct str copy = arena_str(&a, STR("sixteen bytes ..")),
	           empty = arena_str(&a, (struct str){ 0 });
	struct str made = arena_fmt(&a, "%d %s", 42, "samples");

	(void)state;
	assert_int_equal(copy.n, 16);
	assert_string_equal(copy.p, "sixteen bytes ..");
	assert_int_equal(empty.n, 0);
	assert_string_equal(empty.p, "");
	assert_int_equal(made.n, strlen("42 samples"));
	assert_string_equal(made.p, "42 samples");
	arena_release(&a);
}

/* arena_push adds elements one by one, and arena_fit only makes room. */
static void arrays_grow(void **state)
{
	enum { ELEMENTS = 1000 };
	arena_scope(a);
	size_t *item = NULL, n = 0, cap = 0;

	(void)state;
	for (size_t i = 0; i < ELEMENTS; i++)
		*arena_push(&a, item, n, cap) = i;
	assert_int_equal(n, ELEMENTS);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(item[i], i);
	arena_fit(&a, item, 5 * n, cap);
	assert_true(cap >= 5 * n);
	assert_int_equal(item[n - 1], n - 1);
	assert_int_equal(item[5 * n - 1], 0);
}

/* The arena is released at each end of the block, so AddressSanitizer finds no leak. */
static void a_block_releases_its_arena(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		arena_scope(a);

		assert_null(a.blocks);
		if (arena_alloc(&a, 1, 1) && i == 1)
			continue;
		assert_non_null(a.blocks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_grow),
		cmocka_unit_test(a_block_releases_its_arena),
		cmocka_unit_test(sizes_are_exact),
		cmocka_unit_test(dense_memory_is_zeroed),
		cmocka_unit_test(growing_keeps_what_was_there),
		cmocka_unit_test(trimmed_arrays_keep_their_elements_and_can_grow),
		cmocka_unit_test(own_blocks_are_dropped),
		cmocka_unit_test(copies_end_in_nul),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
