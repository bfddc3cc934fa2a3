/* Chains are found by a hash, and told by their bytes. */
#include "symbol/chain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct arena run;
static struct chains chains;

static int enter(void **state)
{
	(void)state;
	chain_init(&chains, &run);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static void what_was_added_is_found(void **state)
{
	char bytes[] = "a;b";
	struct str text = { bytes, 3 };
	uint32_t number;

	(void)state;
	assert_int_equal(chain_find(&chains, text, 1, false), 0);
	number = chain_mark(&chains);
	assert_int_equal(chain_find(&chains, text, 1, false), number);
	assert_int_equal(chain_find(&chains, text, 2, false), 0);
	/* It was copied: its bytes may go. */
	bytes[0] = 'x';
	assert_int_equal(chain_find(&chains, text, 1, false), 0);
	assert_int_equal(chain_find(&chains, STR("a;b"), 1, true), number);
}

static void equal_hashes_are_told_apart(void **state)
{
	uint32_t number;

	(void)state;
	chain_find(&chains, STR("a;b"), 1, true);
	number = chain_mark(&chains);
	/* As if the hash of the other, and of the other context, were the same. */
	chain_find(&chains, STR("a;c"), 1, true);
	*table_at(&chains.index, &run, chains.hash, 3) = number;
	assert_int_equal(chain_find(&chains, STR("a;c"), 1, true), 0);
	chain_find(&chains, STR("a;b"), 2, true);
	*table_at(&chains.index, &run, chains.hash, 3) = number;
	assert_int_equal(chain_find(&chains, STR("a;b"), 2, true), 0);
	assert_int_equal(chain_find(&chains, STR("a;b"), 1, true), number);
}

static void copies_take_a_bounded_number_of_bytes(void **state)
{
	size_t n = 3 << 20;
	char *bytes = calloc(1, n);
	struct str text = { bytes, n };
	uint32_t last = 0;

	(void)state;
	assert_non_null(bytes);
	for (int i = 0; i < 10; i++) {
		bytes[n - 1] = (char)i;
		assert_int_equal(chain_find(&chains, text, 0, false), 0);
		last = chain_mark(&chains);
		assert_true(chains.copied <= 16 << 20);
	}
	assert_int_equal(chain_find(&chains, text, 0, false), last);
	bytes[n - 1] = 0;
	assert_int_equal(chain_find(&chains, text, 0, false), 0);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_added_is_found, enter, leave),
		cmocka_unit_test_setup_teardown(equal_hashes_are_told_apart, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(copies_take_a_bounded_number_of_bytes,
		                                enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
