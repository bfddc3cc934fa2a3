/* Which perf map names which process's code. */
#include "bind/bind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "given.h"

enum { ADDRESSES = 100, CODE = 0x10000, ROOM = 16 };

static struct arena run;
static struct diag diag;
static struct interner names;
static struct locator locator;
static struct processes *ps;
static struct binder *binder;
static struct source source;
static struct member members[ROOM];

static int enter(void **state)
{
	(void)state;
	diag = (struct diag){ .prog = "bind", .quiet = true };
	intern_init(&names, &run);
	locate_init(&locator, &run, &names);
	ps = process_new(&run, &names);
	binder = bind_new(&locator, &run, &diag);
	source = (struct source){ .kind = SOURCE_ARCHIVE, .members = members };
	return 0;
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

/* A map called name, of functions f0, f1, ... over the first n addresses. */
static struct member covering(const char *name, int n, const char *tag)
{
	struct str s = arena_fmt(&run, "ffff0000 10 %s\n", tag);

	for (int i = 0; i < n; i++)
		s = arena_fmt(&run, "%s%x 10 %s%d\n", s.p, CODE + i * 16, tag, i);
	s.n = strlen(s.p);
	return (struct member){ .name = str_of(name), .size = s.n, .map = s, .head = s };
}

static void add(const struct member *m, size_t n)
{
	memcpy(members, m, n * sizeof(*m));
	source.n = n;
	locate_add(&locator, &source, false, SIZE_MAX);
}

static void mapped(int32_t pid)
{
	struct event ev = { .kind = EV_MMAP,
		            .pid = pid,
		            .tid = pid,
		            .map = { .start = CODE,
		                     .len = ADDRESSES * 16,
		                     .prot = PROT_EXEC,
		                     .path = STR("//anon") } };

	process_apply(ps, &ev);
}

/* Process pid was seen at all addresses. */
static void noted(int32_t pid)
{
	mapped(pid);
	for (uint64_t i = 0; i < ADDRESSES; i++) {
		uint64_t ip = CODE + i * 16 + 8;

		bind_note(binder, process_find(ps, pid, ip, MODE_USER), pid, ip, false,
		          false);
	}
}

/* What names the first address of pid; NULL: nothing. */
static void first_is(int32_t pid, const char *func)
{
	struct bound_name name;
	const struct mapping *m = process_find(ps, pid, CODE + 8, MODE_USER);
	struct bind_query q = { .m = m, .pid = pid, .ip = CODE + 8 };
	bool found = bind_find(binder, &q, &name);

	assert_int_equal(found, func != NULL);
	if (!found)
		return;
	assert_true(str_eq(name.func, str_of(func)));
	assert_int_equal(name.off, 8);
	assert_true(name.jit);
}

static void same_pid_needs_5_percent(void **state)
{
	struct member m[] = { covering("perf-7.map", 5, "a"),
		              covering("perf-8.map", 4, "b") };

	(void)state;
	add(m, 2);
	noted(7);
	noted(8);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
	first_is(8, NULL);
}

static void other_pid_needs_half(void **state)
{
	struct member m[] = { covering("perf-1.map", 50, "a") };

	(void)state;
	add(m, 1);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
}

static void less_than_half_is_not_enough(void **state)
{
	struct member m[] = { covering("perf-1.map", 49, "a") };

	(void)state;
	add(m, 1);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, NULL);
}

static void runner_up_of_5_percent_forbids(void **state)
{
	struct member m[] = { covering("perf-1.map", 99, "a"),
		              covering("perf-2.map", 5, "b") };

	(void)state;
	add(m, 2);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, NULL);
}

static void runner_up_below_5_percent_does_not(void **state)
{
	struct member m[] = { covering("perf-2.map", 4, "b"),
		              covering("perf-1.map", 99, "a") };

	(void)state;
	add(m, 2);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
}

static void same_map_twice_is_no_rival(void **state)
{
	struct member m[] = { covering("a/perf-1.map", 99, "a"),
		              covering("b/perf-1.map", 99, "a") };

	(void)state;
	add(m, 2);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
}

static void own_map_wins_over_a_fuller_one(void **state)
{
	struct member m[] = { covering("perf-1.map", 100, "a"),
		              covering("perf-7.map", 10, "b") };

	(void)state;
	add(m, 2);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "b0");
}

static void best_of_several_own_maps_is_taken(void **state)
{
	struct member m[] = { covering("old/perf-7.map", 6, "a"),
		              covering("new/perf-7.map", 90, "b") };

	(void)state;
	add(m, 2);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "b0");
}

static void pid_in_the_namespace_counts_as_its_own(void **state)
{
	struct member m[] = { covering("perf-1.map", 10, "a"),
		              covering("perf-2.map", 10, "b") };

	(void)state;
	add(m, 2);
	bind_namespace_pid(binder, 7, 1);
	noted(7);
	noted(8);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
	first_is(8, NULL);
}

static void forced_map_needs_no_proof(void **state)
{
	struct member m[] = { covering("perf-7.map", 100, "a"),
		              covering("other.map", 1, "b") };

	(void)state;
	add(m, 2);
	bind_force(binder, 7, locate_path(&locator, STR("other.map"), ITEM_PERFMAP));
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "b0");
}

/* Text that names no process: a map proves itself as any other's would. */
static void code_of_nobody_needs_half(void **state)
{
	struct member m[] = { covering("perf-1.map", 10, "a") };
	struct bound_name name;

	(void)state;
	add(m, 1);
	for (uint64_t i = 0; i < ADDRESSES; i++)
		bind_note(binder, NULL, -1, CODE + i * 16, false, true);
	bind_decide(binder, ps, false);
	assert_false(bind_find(
	        binder, &(struct bind_query){ NULL, -1, CODE, false, false, 0 }, &name));
}

static void each_process_has_its_own(void **state)
{
	struct member m[] = { covering("perf-7.map", 100, "a"),
		              covering("perf-8.map", 100, "b") };
	const struct bound_map *maps;

	(void)state;
	add(m, 2);
	noted(7);
	noted(8);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
	first_is(8, "b0");
	assert_int_equal(bind_maps(binder, &maps), 2);
	assert_int_equal(maps[0].covered, 100);
	assert_int_equal(maps[0].of, 100);
}

static void address_counts_once(void **state)
{
	(void)state;
	noted(7);
	noted(7);
	assert_int_equal(bind_noted(binder), 2 * ADDRESSES);
	for (uint64_t i = 0; i < ADDRESSES; i++)
		bind_note(binder, process_find(ps, 7, CODE, MODE_USER), 7,
		          CODE + i * 16 + 8, false, false);
	assert_int_equal(bind_noted(binder), 2 * ADDRESSES);
}

static void caller_is_looked_up_before_its_address(void **state)
{
	struct member m[] = { covering("perf-7.map", 100, "a") };
	struct bind_query q = { NULL, 7, CODE + 16, true, false, 0 };
	struct bound_name name;

	(void)state;
	add(m, 1);
	noted(7);
	bind_decide(binder, ps, false);
	assert_true(bind_find(binder, &q, &name));
	assert_true(str_eq(name.func, STR("a0")));
	assert_int_equal(name.off, 16);
	q.caller = false;
	assert_true(bind_find(binder, &q, &name));
	assert_true(str_eq(name.func, STR("a1")));
}

static void without_samples_code_must_lie_in_memory(void **state)
{
	struct member m[] = { covering("perf-1.map", 100, "a"),
		              { .name = STR("perf-2.map"),
		                .head = STR("10 10 x\n"),
		                .map = STR("10 10 x\n"),
		                .size = 8 } };

	(void)state;
	add(m, 2);
	mapped(7);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(same_pid_needs_5_percent),
		test(other_pid_needs_half),
		test(less_than_half_is_not_enough),
		test(runner_up_of_5_percent_forbids),
		test(runner_up_below_5_percent_does_not),
		test(same_map_twice_is_no_rival),
		test(own_map_wins_over_a_fuller_one),
		test(best_of_several_own_maps_is_taken),
		test(pid_in_the_namespace_counts_as_its_own),
		test(forced_map_needs_no_proof),
		test(code_of_nobody_needs_half),
		test(each_process_has_its_own),
		test(address_counts_once),
		test(caller_is_looked_up_before_its_address),
		test(without_samples_code_must_lie_in_memory),
	};

	return cmocka_run_group_tests_name("bind", tests, NULL, NULL);
}
