/* sort: rows of numbers in the order of their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/sort.h"

enum { STRINGS = 5000, LONGEST = 40 };

static bool key_of(const void *ctx, uint32_t id, size_t at, uint64_t *key)
{
	const struct str *all = ctx;

	return sort_str_key(all[id], at, key);
}

/* Few letters, NUL among them, so that many begin alike or are equal. */
static void strings_are_in_the_order_of_bytes(void **state)
{
	static char bytes[STRINGS][LONGEST];
	static struct sort_item items[STRINGS];
	static struct str all[STRINGS];
	uint32_t seed = 1;

	(void)state;
	for (size_t i = 0; i < STRINGS; i++) {
		seed = seed * 1103515245 + 12345;
		all[i] = (struct str){ bytes[i], (seed >> 16) % LONGEST };
		for (size_t k = 0; k < all[i].n; k++) {
			seed = seed * 1103515245 + 12345;
			bytes[i][k] = "aaaaaaaaaaaaa\0\xff"[(seed >> 16) % 15];
		}
		items[i].id = (uint32_t)i;
	}
	sort_by_keys(items, STRINGS, key_of, all);
	for (size_t i = 1; i < STRINGS; i++)
		assert_true(str_cmp(all[items[i - 1].id], all[items[i].id]) <= 0);
}

static void nothing_is_lost(void **state)
{
	static const struct str all[] = { { "b", 1 },       { "", 0 },
		                          { "aaaaaaa", 7 }, { "aaaaaaaa", 8 },
		                          { "a\0", 2 },     { "a", 1 },
		                          { "b", 1 } };
	struct sort_item items[7] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 },
		                      { 0, 4 }, { 0, 5 }, { 0, 6 } };

	(void)state;
	sort_by_keys(items, 7, key_of, all);
	assert_int_equal(items[0].id, 1);
	assert_int_equal(items[1].id, 5);
	assert_int_equal(items[2].id, 4);
	assert_int_equal(items[3].id, 2);
	assert_int_equal(items[4].id, 3);
	assert_int_equal(items[5].id + items[6].id, 6);
	sort_by_keys(items, 0, key_of, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_in_the_order_of_bytes),
		cmocka_unit_test(nothing_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
