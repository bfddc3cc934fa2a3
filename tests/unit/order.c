/* Numbers are compared as qsort wants it, and a search finds the first element that is not before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/order.h"

static void numbers_are_compared(void **state)
{
	uint64_t least = 0, most = UINT64_MAX;

	(void)state;
	assert_true(num_cmp(1, 2) < 0);
	assert_true(num_cmp(2, 1) > 0);
	assert_int_equal(num_cmp(7, 7), 0);
	/* A difference would overflow. */
	assert_true(num_cmp(least, most) < 0);
	assert_true(num_cmp(INT32_MAX, INT32_MIN) > 0);
}

/* For each length and key, compares the result with a search from the start. */
static void a_search_finds_the_first(void **state)
{
	static const uint32_t sorted[] = { 1, 3, 3, 3, 8, 9, 20 };

	(void)state;
	for (size_t n = 0; n <= sizeof(sorted) / sizeof(*sorted); n++)
		for (uint32_t key = 0; key < 22; key++) {
			size_t first = 0, past = 0;

			while (first < n && sorted[first] < key)
				first++;
			while (past < n && sorted[past] <= key)
				past++;
			assert_int_equal(bisect(n, i, sorted[i] < key), first);
			assert_int_equal(bisect(n, i, sorted[i] <= key), past);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_compared),
		cmocka_unit_test(a_search_finds_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
