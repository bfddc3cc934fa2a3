/* The places of stacks that were pushed lately. */
#include "stack/seen_stacks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MANY = 300000 };

static struct arena run;
static struct seen_stacks seen;

static int enter(void **state)
{
	(void)state;
	seen = (struct seen_stacks){ .arena = &run };
	return 0;
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

/* Stack i has 1 to 8 codes; stacks share their first ones. */
static size_t make(uint32_t i, uint32_t codes[8])
{
	size_t n = 1 + i % 8;

	for (size_t k = 0; k < n; k++)
		codes[k] = (uint32_t)k;
	codes[n - 1] = i;
	return n;
}

static const struct stack_place *find(uint32_t i)
{
	uint32_t codes[8];
	size_t n = make(i, codes);

	return seen_stacks_find(&seen, codes, n);
}

static void keep(uint32_t i)
{
	uint32_t codes[8];
	size_t n = make(i, codes);

	seen_stacks_keep(&seen, codes, n,
	                 (struct stack_place){ i + 1, (uint8_t)(i % 3) });
}

static void stack_leads_where_it_was_kept_for(void **state)
{
	(void)state;
	assert_null(find(0));
	for (uint32_t i = 0; i < 1000; i++)
		keep(i);
	for (uint32_t i = 0; i < 1000; i++) {
		assert_non_null(find(i));
		assert_int_equal(find(i)->id, i + 1);
		assert_int_equal(find(i)->state, i % 3);
	}
	assert_null(find(1000));
	/* Stacks 10 and 18 differ in their last code, which is the 9th's here. */
	assert_null(seen_stacks_find(&seen, (const uint32_t[]){ 0, 1, 9 }, 3));
}

/* Whatever is forgotten meanwhile, no stack leads elsewhere. */
static void memory_does_not_follow_stacks(void **state)
{
	size_t known = 0;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++) {
		assert_null(find(i));
		keep(i);
		assert_int_equal(find(i)->id, i + 1);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		const struct stack_place *place = find(i);

		assert_true(!place || place->id == i + 1);
		known += place != NULL;
	}
	assert_true(known > 0 && known < MANY);
	assert_true(run.bytes < 24 << 20);
}

static void codes_that_changed_are_not_found(void **state)
{
	(void)state;
	keep(17);
	seen_stacks_forget(&seen);
	assert_null(find(17));
	keep(17);
	assert_non_null(find(17));
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(stack_leads_where_it_was_kept_for),
		test(memory_does_not_follow_stacks),
		test(codes_that_changed_are_not_found),
	};

	return cmocka_run_group_tests_name("seen_stacks", tests, NULL, NULL);
}
