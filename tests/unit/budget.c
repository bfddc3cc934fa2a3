/* An input that uses more than its time or memory is stopped, and reported. */
#include "base/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

#include <cmocka.h>

#include "base/arena.h"

enum { MIB = 1 << 20 };

static struct diag diag = { .prog = "test" };

static struct rlimit limit_of(__rlimit_resource_t resource)
{
	struct rlimit now;

	assert_int_equal(getrlimit(resource, &now), 0);
	return now;
}

/* The limits are those of before, for the tests that follow. */
static int lift(void **state)
{
	static const __rlimit_resource_t both[] = { RLIMIT_CPU, RLIMIT_DATA };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct rlimit now = limit_of(both[i]);

		now.rlim_cur = now.rlim_max;
		assert_int_equal(setrlimit(both[i], &now), 0);
	}
	return 0;
}

static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static void time_is_limited(void **state)
{
	struct budget b = { .diag = &diag, .seconds = 1 };
	unsigned long damaged = diag.damaged;
	double began;

	(void)state;
	budget_begin(&b);
	began = seconds();
	assert_false(budget_check(&b));
	while (!budget_spent(&b))
		assert_true(seconds() < began + 3);
	assert_true(seconds() > began + 0.8);
	assert_int_equal(diag.damaged, damaged + 1);
	assert_true(budget_check(&b) && budget_spent(&b));
	assert_int_equal(diag.damaged, damaged + 1);
	assert_int_equal(budget_seconds_left(&b, 7), 0);
	/* The passes after this do not report it again. */
	budget_begin_half(&b);
	assert_true(budget_check(&b));
	budget_end_half(&b);
	assert_true(budget_check(&b));
	assert_int_equal(diag.damaged, damaged + 1);
	budget_begin(&b);
	assert_false(budget_check(&b));
	assert_int_equal(budget_seconds_left(&b, 7), 1);
}

static void input_adds_its_share(void **state)
{
	struct budget b = { .diag = &diag, .seconds = 10 };
	rlim_t soft;

	(void)state;
	budget_begin(&b);
	soft = limit_of(RLIMIT_CPU).rlim_cur;
	for (int i = 0; i < 80; i++)
		budget_add(&b, MIB / 2);
	assert_int_equal(budget_seconds_left(&b, 100), 50);
	assert_int_equal(limit_of(RLIMIT_CPU).rlim_cur, soft + 50);
	budget_begin_half(&b);
	assert_int_equal(budget_seconds_left(&b, 100), 25);
	budget_end_half(&b);
	assert_int_equal(budget_seconds_left(&b, 100), 50);
	assert_int_equal(budget_seconds_left(&b, 3), 3);
	budget_begin(&b);
	assert_int_equal(budget_seconds_left(&b, 100), 10);
	budget_add(NULL, MIB);
	assert_false(budget_spent(NULL) || budget_check(NULL));
	assert_int_equal(budget_seconds_left(NULL, 3), 3);
}

static void no_limit(void **state)
{
	struct budget b = { .diag = &diag };
	struct rlimit cpu = limit_of(RLIMIT_CPU), data = limit_of(RLIMIT_DATA);

	(void)state;
	budget_begin(&b);
	assert_false(budget_check(&b));
	assert_int_equal(budget_seconds_left(&b, 3), 3);
	assert_int_equal(limit_of(RLIMIT_CPU).rlim_cur, cpu.rlim_cur);
	assert_int_equal(limit_of(RLIMIT_DATA).rlim_cur, data.rlim_cur);
}

#ifndef WITH_ASAN /* its memory is not limited */
static void memory_is_limited(void **state)
{
	struct budget b = { .diag = &diag, .memory = 8 * MIB };
	unsigned long damaged = diag.damaged;
	struct arena a = { 0 };
	size_t cap = 0;
	char *p;

	(void)state;
	budget_begin(&b);
	p = arena_grow(&a, NULL, &cap, 4 * MIB, 1);
	assert_false(budget_check(&b));
	/* It succeeds, and the budget is spent. */
	p = arena_grow(&a, p, &cap, 64 * MIB, 1);
	p[cap - 1] = 1;
	assert_true(budget_check(&b));
	assert_int_equal(diag.damaged, damaged + 1);
	arena_release(&a);
	budget_begin(&b);
	budget_add(&b, 10 * MIB);
	cap = 0;
	arena_grow(&a, NULL, &cap, 64 * MIB, 1);
	assert_false(budget_check(&b));
	arena_release(&a);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(time_is_limited, lift),
		cmocka_unit_test_teardown(input_adds_its_share, lift),
		cmocka_unit_test_teardown(no_limit, lift),
#ifndef WITH_ASAN
		cmocka_unit_test_teardown(memory_is_limited, lift),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
