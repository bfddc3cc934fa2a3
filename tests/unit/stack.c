/* stack: folding is addition in a tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stack/stack.h"

static void equal_paths_are_one_node(void **state)
{
	struct arena a = { 0 };
	struct stacks s;
	stack_id x, xy, y, yx;

	(void)state;
	stack_init(&s, &a);
	x = stack_push(&s, 0, 7);
	xy = stack_push(&s, x, 8);
	y = stack_push(&s, 0, 8);
	yx = stack_push(&s, y, 7);
	assert_int_equal(s.n, 5);
	assert_int_equal(stack_push(&s, 0, 7), x);
	assert_int_equal(stack_push(&s, x, 8), xy);
	assert_int_equal(stack_push(&s, 0, 8), y);
	assert_int_equal(stack_push(&s, y, 7), yx);
	assert_int_equal(s.n, 5);
	assert_int_equal(s.node[yx].parent, y);
	arena_release(&a);
}

static void a_parent_has_a_smaller_number(void **state)
{
	struct arena a = { 0 };
	struct stacks s;
	uint32_t seed = 1;

	(void)state;
	stack_init(&s, &a);
	for (size_t i = 0; i < 10000; i++) {
		stack_id id = 0;

		for (size_t k = 0; k < 10; k++) {
			seed = seed * 1103515245 + 12345;
			id = stack_push(&s, id, seed >> 16 & 3);
		}
	}
	for (size_t i = 1; i < s.n; i++) {
		assert_true(s.node[i].parent < i);
		assert_int_equal(stack_push(&s, s.node[i].parent, s.node[i].name), i);
	}
	arena_release(&a);
}

static void weights_saturate(void **state)
{
	struct arena a = { 0 };
	struct stacks s;
	stack_id id;

	(void)state;
	stack_init(&s, &a);
	id = stack_push(&s, 0, 1);
	stack_add(&s, id, UINT64_MAX - 1, 600000000);
	stack_add(&s, id, 0, 600000000);
	assert_true(s.node[id].self == UINT64_MAX);
	assert_int_equal(s.node[id].fraction, 200000000);
	stack_add(&s, id, 5, 0);
	assert_true(s.node[id].self == UINT64_MAX);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_paths_are_one_node),
		cmocka_unit_test(a_parent_has_a_smaller_number),
		cmocka_unit_test(weights_saturate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
