/* Which perf map names which process's code. */
#include "mapsmade.h"
#include "ranges.h"

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
	assert_int_equal(bind_sampled(binder)->njit, ADDRESSES);
	for (uint64_t i = 0; i < ADDRESSES; i++)
		bind_note(binder, process_find(ps, 7, CODE, MODE_USER), 7,
		          CODE + i * 16 + 8, false, false);
	assert_int_equal(bind_sampled(binder)->njit, ADDRESSES);
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

/* Code made at run time is kept up to a number of addresses. */
static void so_many_addresses_are_kept(void **state)
{
	struct member m[] = { covering("perf-7.map", 1, "a") };
	const struct bound_map *maps;

	(void)state;
	add(m, 1);
	for (uint64_t i = 0; i < SAMPLED_JIT + 5; i++)
		bind_note(binder, NULL, 7, CODE + i, false, true);
	assert_int_equal(bind_sampled(binder)->njit, 1 << 14);
	bind_force(binder, 7, locate_path(&locator, STR("perf-7.map"), ITEM_PERFMAP));
	bind_decide(binder, ps, false);
	assert_int_equal(bind_maps(binder, &maps), 1);
	assert_int_equal(maps[0].of, 1 << 14);
	assert_int_equal(maps[0].covered, 16);
}

static void kernel_and_plain_text_are_not_kept(void **state)
{
	struct mapping kernel = { .id = 1, .kind = MAPPED_KERNEL, .pid = -1 };

	(void)state;
	bind_note(binder, &kernel, 7, CODE, false, true);
	bind_note(binder, NULL, 7, CODE, false, false);
	assert_int_equal(bind_sampled(binder)->njit, 0);
	bind_note(binder, NULL, 7, CODE, false, true);
	bind_note(binder, NULL, 7, CODE, true, true);
	bind_note(binder, NULL, 8, CODE, true, true);
	assert_int_equal(bind_sampled(binder)->njit, 3);
}

/* Process 7 mapped a dump of pid 1, as runtimes in containers do. */
static void dump_that_was_mapped_says_the_pid(void **state)
{
	struct member m[] = { covering("perf-1.map", 10, "a"),
		              covering("perf-2.map", 10, "b") };
	struct event ev = { .kind = EV_MMAP,
		            .pid = 7,
		            .tid = 7,
		            .map = { .start = 0x900000,
		                     .len = 4096,
		                     .prot = PROT_EXEC,
		                     .path = STR("/tmp/jit-1.dump") } };

	(void)state;
	add(m, 2);
	process_apply(ps, &ev);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
}

/* A map of n functions, of which the process can run `inside`. */
static bool bound_by_code(int n, uint64_t inside)
{
	struct member m[] = { covering("perf-1.map", n, "a") };
	struct event ev = { .kind = EV_MMAP,
		            .pid = 7,
		            .tid = 7,
		            .map = { .start = CODE,
		                     .len = inside * 16,
		                     .prot = PROT_EXEC,
		                     .path = STR("//anon") } };
	const struct bound_map *maps;

	add(m, 1);
	process_apply(ps, &ev);
	bind_decide(binder, ps, false);
	return bind_maps(binder, &maps) == 1;
}

static void half_of_the_code_in_memory_suffices(void **state)
{
	(void)state;
	/* covering() adds one function elsewhere. */
	assert_true(bound_by_code(99, 50));
}

static void less_than_half_does_not(void **state)
{
	(void)state;
	assert_false(bound_by_code(99, 49));
}

static void of_many_functions_a_thousand_are_tried(void **state)
{
	const struct bound_map *maps;

	(void)state;
	assert_true(bound_by_code(5000, 2600));
	bind_maps(binder, &maps);
	assert_within(maps[0].covered, 515, 525);
	assert_int_equal(maps[0].of, 1000);
}

static void no_addresses_bind_no_map(void **state)
{
	struct member m[] = { covering("perf-7.map", 100, "a") };
	const struct bound_map *maps;

	(void)state;
	add(m, 1);
	noted(8);
	mapped(7);
	bind_decide(binder, ps, false);
	assert_int_equal(bind_maps(binder, &maps), 1);
	assert_int_equal(maps[0].pid, 8);
}

/* A map of precompiled images: n of 10 addresses sampled in an image, code outside of it. */
static bool bound_by_images(int n, int outside)
{
	struct member m[] = { covering("pmerged.map", n, "a") };
	struct event ev = { .kind = EV_MMAP,
		            .pid = 7,
		            .tid = 7,
		            .map = { .start = CODE,
		                     .len = ADDRESSES * 16,
		                     .prot = PROT_EXEC,
		                     .path = STR("/app/a.dll") } };
	struct str text = arena_fmt(&run, "%s", strchr(m[0].map.p, '\n') + 1);
	const struct bound_map *maps;

	for (int i = 0; i < outside; i++)
		text = arena_fmt(&run, PRSTR "%x 10 out\n", STRARG(text),
		                 CODE + 0x100000 + i * 16);
	m[0].map = m[0].head = text;
	m[0].size = text.n;
	add(m, 1);
	process_apply(ps, &ev);
	for (uint64_t i = 0; i < 10; i++)
		bind_note(binder, process_find(ps, 7, CODE, MODE_USER), 7,
		          CODE + i * 16 + 8, false, false);
	bind_decide(binder, ps, false);
	return bind_maps(binder, &maps) == 1;
}

static void half_of_what_was_sampled_in_images(void **state)
{
	(void)state;
	assert_true(bound_by_images(5, 0));
}

static void less_of_images_is_not_enough(void **state)
{
	(void)state;
	assert_false(bound_by_images(4, 0));
}

static void nine_in_ten_functions_lie_in_memory(void **state)
{
	(void)state;
	assert_true(bound_by_images(9, 1));
}

static void fewer_functions_are_another_process(void **state)
{
	(void)state;
	assert_false(bound_by_images(8, 1));
}

static const char *at_time(uint64_t time_ns)
{
	struct bind_query q = {
		.m = process_find(ps, 7, CODE + 8, MODE_USER),
		.pid = 7,
		.ip = CODE + 8,
		.time_ns = time_ns,
	};
	struct bound_name name;

	if (!bind_find(binder, &q, &name))
		return "nothing";
	assert_non_null(name.dump);
	assert_int_equal(name.off, 8);
	return arena_fmt(&run, PRSTR, STRARG(name.func)).p;
}

static void times_choose_if_the_clock_agrees(void **state)
{
	struct bind_query q = { .pid = 7, .ip = CODE + 8, .time_ns = 150 };
	static struct jitgen g;

	(void)state;
	g.n = 0;
	add_dump(&g, 7);
	noted(7);
	bind_clock_agrees(binder);
	bind_decide(binder, ps, false);
	assert_string_equal(at_time(150), "early");
	assert_string_equal(at_time(200), "later");
	assert_true(bind_varies(binder, &q));
	q.ip = CODE + ADDRESSES * 16;
	assert_false(bind_varies(binder, &q));
	q.caller = true;
	assert_true(bind_varies(binder, &q));
}

static void last_code_counts_if_it_does_not(void **state)
{
	struct bind_query q = { .pid = 7, .ip = CODE + 8, .time_ns = 150 };
	static struct jitgen g;

	(void)state;
	g.n = 0;
	add_dump(&g, 7);
	noted(7);
	bind_decide(binder, ps, false);
	assert_string_equal(at_time(150), "later");
	assert_false(bind_varies(binder, &q));
}

static struct bound_name at_place(uint64_t ip, uint64_t time_ns)
{
	struct bind_query q = { .m = process_find(ps, 7, ip, MODE_USER),
		                .pid = 7,
		                .ip = ip,
		                .time_ns = time_ns };
	struct bound_name name = { 0 };

	assert_true(bind_find(binder, &q, &name));
	return name;
}

static void nettrace_tells_what_a_map_cannot(void **state)
{
	struct bind_query q = { .pid = 7, .ip = CODE + 8, .time_ns = 150 };

	(void)state;
	bind_both(true);
	assert_true(str_eq(at_place(CODE + 8, 150).func, STR("early")));
	assert_true(str_eq(at_place(CODE + 8, 250).func, STR("later")));
	assert_false(at_place(CODE + 8, 250).guessed);
	assert_true(bind_varies(binder, &q));
	/* What the map can tell, it tells. */
	assert_true(str_eq(at_place(CODE + 24, 150).func, STR("a1")));
	assert_false(at_place(CODE + 24, 150).guessed);
	q.ip = CODE + 24;
	assert_false(bind_varies(binder, &q));
}

static void map_that_cannot_tell_guesses(void **state)
{
	(void)state;
	bind_both(false);
	assert_true(str_eq(at_place(CODE + 8, 150).func, STR("again")));
	assert_true(at_place(CODE + 8, 150).guessed);
	assert_false(at_place(CODE + 24, 150).guessed);
}

/* A dump of process 7 with a piece of code for each name, all at CODE, one after the other. */
static void dump_in_turn(struct jitgen *g, const char *const *name, size_t n)
{
	g->n = 0;
	jit_header(g, 7, 0, 0);
	for (size_t i = 0; i < n; i++)
		jit_load(g, 7, 100 * (i + 1), CODE, ADDRESSES * 16, (unsigned)i + 1,
		         name[i]);
	members[source.n++] = (struct member){ .name = STR("jit-7.dump"),
		                               .size = g->n,
		                               .map = jit_bytes(g),
		                               .head = jit_bytes(g) };
}

static void bind_dump(const char *const *name, size_t n, bool monotonic)
{
	static struct jitgen g;

	source.n = 0;
	dump_in_turn(&g, name, n);
	locate_add(&locator, &source, false, SIZE_MAX);
	noted(7);
	if (monotonic)
		bind_clock_agrees(binder);
	bind_decide(binder, ps, false);
}

static void dump_of_another_clock_guesses(void **state)
{
	static const char *const called[] = { "a", "b", "a" };

	(void)state;
	bind_dump(called, 3, false);
	assert_true(str_eq(at_place(CODE + 8, 150).func, STR("a")));
	assert_true(at_place(CODE + 8, 150).guessed);
}

static void same_name_in_turn_is_no_guess(void **state)
{
	static const char *const called[] = { "a", "a", "a" };

	(void)state;
	bind_dump(called, 3, false);
	assert_false(at_place(CODE + 8, 150).guessed);
}

static void block_of_stubs_in_a_dump_is_no_guess(void **state)
{
	static const char *const called[] = { "stub Block<Thunk>", "a",
		                              "stub Link<Thunk>" };

	(void)state;
	bind_dump(called, 3, false);
	assert_false(at_place(CODE + 8, 150).guessed);
}

static void sample_without_a_time_is_a_guess(void **state)
{
	static const char *const called[] = { "a", "b" };

	(void)state;
	bind_dump(called, 2, true);
	assert_false(at_place(CODE + 8, 150).guessed);
	assert_true(str_eq(at_place(CODE + 8, UINT64_MAX).func, STR("b")));
	assert_true(at_place(CODE + 8, UINT64_MAX).guessed);
}

/* Its one name may be that of another time. */
static void second_map_without_times_does_not_decide(void **state)
{
	static const char *const called[] = { "a", "b" };
	static struct jitgen g;

	(void)state;
	members[0] = covering("perf-7.map", ADDRESSES, "m");
	source.n = 1;
	dump_in_turn(&g, called, 2);
	locate_add(&locator, &source, false, SIZE_MAX);
	noted(7);
	bind_decide(binder, ps, false);
	assert_true(str_eq(at_place(CODE, 150).func, STR("m0")));
	assert_true(at_place(CODE, 150).guessed);
}

static void one_piece_of_code_does_not_vary(void **state)
{
	struct bind_query q = { .pid = 7, .ip = CODE + 8, .time_ns = 150 };
	static struct jitgen g;

	(void)state;
	g.n = 0;
	jit_header(&g, 7, 0, 0);
	jit_load(&g, 7, 100, CODE, ADDRESSES * 16, 1, "only");
	members[0] = (struct member){ .name = STR("jit-7.dump"),
		                      .size = g.n,
		                      .map = jit_bytes(&g),
		                      .head = jit_bytes(&g) };
	source.n = 1;
	locate_add(&locator, &source, false, SIZE_MAX);
	noted(7);
	bind_clock_agrees(binder);
	bind_decide(binder, ps, false);
	assert_false(bind_varies(binder, &q));
}

/* A dump and a perf map: the dump is asked first, and the map for what it lacks. */
static void dump_is_asked_before_the_map(void **state)
{
	static struct jitgen g;
	struct bind_query q = { .pid = 7, .ip = CODE + 16 + 8 };
	struct bound_name name;

	(void)state;
	g.n = 0;
	jit_header(&g, 7, 0, 0);
	jit_load(&g, 7, 100, CODE, 16, 1, "dumped");
	members[0] = covering("perf-7.map", ADDRESSES, "a");
	members[1] = (struct member){ .name = STR("jit-7.dump"),
		                      .size = g.n,
		                      .map = jit_bytes(&g),
		                      .head = jit_bytes(&g) };
	source.n = 2;
	locate_add(&locator, &source, false, SIZE_MAX);
	noted(7);
	bind_force(binder, 7, locate_path(&locator, STR("jit-7.dump"), ITEM_JITDUMP));
	bind_force(binder, 7, locate_path(&locator, STR("perf-7.map"), ITEM_PERFMAP));
	bind_decide(binder, ps, false);
	assert_string_equal(at_time(UINT64_MAX), "dumped");
	assert_true(bind_find(binder, &q, &name));
	assert_true(str_eq(name.func, STR("a1")));
	assert_int_equal(name.how, VERIFIED_FORCED);
}

/*
 * Another process was sampled in its JIT code, this one never: only stacks that are unwound
 * by its dump lead there.
 */
static bool bound_unsampled(bool unwinds, int32_t named)
{
	static struct jitgen g;
	const struct bound_map *maps;

	g.n = 0;
	jit_header(&g, named, 0, 0);
	if (unwinds)
		jit_unwinding(&g, 100);
	jit_load(&g, named, 100, CODE, 11, 1, "described");
	members[0] = covering("perf-8.map", ADDRESSES, "a");
	members[1] = (struct member){ .name = STR("jit.dump"),
		                      .size = g.n,
		                      .map = jit_bytes(&g),
		                      .head = jit_bytes(&g) };
	source.n = 2;
	locate_add(&locator, &source, false, SIZE_MAX);
	noted(8);
	mapped(7);
	bind_decide(binder, ps, false);
	return bind_maps(binder, &maps) == 2 && maps[0].pid == 7 && maps[0].dump;
}

static void dump_that_unwinds_needs_no_address(void **state)
{
	(void)state;
	assert_true(bound_unsampled(true, 7));
}

static void dump_that_does_not_unwind_needs_one(void **state)
{
	(void)state;
	assert_false(bound_unsampled(false, 7));
}

static void dump_of_another_process_needs_one(void **state)
{
	(void)state;
	assert_false(bound_unsampled(true, 9));
}

/* In one table the map of images gives way to images, and code made later to neither. */
static void merged_table_ends_with_the_first_map(void **state)
{
	static struct jitgen g;
	const int32_t *pid;
	struct merge mg;

	(void)state;
	g.n = 0;
	jit_header(&g, 7, 0, 0);
	jit_load(&g, 7, 100, CODE, 16, 1, "dumped");
	members[0] = covering("perf-7.map", ADDRESSES, "a");
	members[1] = (struct member){ .name = STR("jit-7.dump"),
		                      .size = g.n,
		                      .map = jit_bytes(&g),
		                      .head = jit_bytes(&g) };
	source.n = 2;
	locate_add(&locator, &source, false, SIZE_MAX);
	noted(7);
	bind_force(binder, 7, locate_path(&locator, STR("jit-7.dump"), ITEM_JITDUMP));
	bind_force(binder, 7, locate_path(&locator, STR("perf-7.map"), ITEM_PERFMAP));
	bind_decide(binder, ps, false);
	assert_int_equal(merge_processes(binder, &run, &pid), 1);
	assert_int_equal(pid[0], 7);
	merge_process(binder, 7, &run, &mg);
	assert_int_equal(mg.nparts, 2);
	assert_int_equal(mg.part[0].symbols, ADDRESSES + 1);
	assert_int_equal(mg.part[1].symbols, 1);
	assert_true(str_eq(symtab_find(&mg.symbols, CODE)->name, STR("dumped")));
	assert_true(str_eq(symtab_find(&mg.symbols, CODE + 16)->name, STR("a1")));
	merge_process(binder, 8, &run, &mg);
	assert_int_equal(mg.nparts, 0);
}

static void first_of_equal_own_maps_is_taken(void **state)
{
	struct member m[] = { covering("a/perf-7.map", 90, "a"),
		              covering("b/perf-7.map", 90, "b") };

	(void)state;
	add(m, 2);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
}

/* -1 is the pid of code that a text says of nobody; a map may be forced on it. */
static void code_of_nobody_may_have_a_map(void **state)
{
	struct member m[] = { covering("perf-1.map", 50, "a") };
	struct bind_query q = { NULL, -1, CODE, false, false, 0 };
	struct bound_name name;

	(void)state;
	add(m, 1);
	for (uint64_t i = 0; i < ADDRESSES; i++)
		bind_note(binder, NULL, -1, CODE + i * 16, false, true);
	bind_decide(binder, ps, false);
	assert_true(bind_find(binder, &q, &name));
	assert_true(str_eq(name.func, STR("a0")));
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
		test(so_many_addresses_are_kept),
		test(kernel_and_plain_text_are_not_kept),
		test(dump_that_was_mapped_says_the_pid),
		test(half_of_the_code_in_memory_suffices),
		test(less_than_half_does_not),
		test(of_many_functions_a_thousand_are_tried),
		test(no_addresses_bind_no_map),
		test(dump_that_unwinds_needs_no_address),
		test(dump_that_does_not_unwind_needs_one),
		test(dump_of_another_process_needs_one),
		test(half_of_what_was_sampled_in_images),
		test(less_of_images_is_not_enough),
		test(nine_in_ten_functions_lie_in_memory),
		test(fewer_functions_are_another_process),
		test(times_choose_if_the_clock_agrees),
		test(last_code_counts_if_it_does_not),
		test(nettrace_tells_what_a_map_cannot),
		test(map_that_cannot_tell_guesses),
		test(dump_of_another_clock_guesses),
		test(same_name_in_turn_is_no_guess),
		test(block_of_stubs_in_a_dump_is_no_guess),
		test(sample_without_a_time_is_a_guess),
		test(second_map_without_times_does_not_decide),
		test(one_piece_of_code_does_not_vary),
		test(dump_is_asked_before_the_map),
		test(merged_table_ends_with_the_first_map),
		test(first_of_equal_own_maps_is_taken),
		test(code_of_nobody_may_have_a_map),
	};

	return cmocka_run_group_tests_name("match_maps", tests, NULL, NULL);
}
