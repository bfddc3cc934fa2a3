/* Which maps are tried for a process, how many, and what is said of them. */
#include "mapsmade.h"

static void same_map_in_two_sources_is_no_rival(void **state)
{
	struct member m = covering("perf-1.map", 99, "a");
	struct source other = { .kind = SOURCE_ARCHIVE, .members = &m, .n = 1 };
	const struct bound_map *maps;

	(void)state;
	add(&m, 1);
	locate_add(&locator, &other, false, SIZE_MAX);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
	assert_int_equal(bind_maps(binder, &maps), 1);
	assert_ptr_equal(maps[0].item, &locator.item[0]);
}

/* A map of another pid, the last of n. */
static bool last_of_many_is_bound(const char *name, size_t n)
{
	struct member *m = arena_new(&run, struct member, n);
	const struct bound_map *maps;

	for (size_t i = 0; i < n; i++) {
		m[i] = covering(name, i == n - 1 ? ADDRESSES : 1, "a");
		m[i].name = arena_fmt(&run, "%zu/%s", i, name);
		if (i < n - 1)
			m[i].map = m[i].head = STR("ffff0000 10 f\n");
	}
	source.members = m;
	source.n = n;
	locate_add(&locator, &source, false, SIZE_MAX);
	noted(7);
	bind_decide(binder, ps, false);
	return bind_maps(binder, &maps) == 1;
}

static void map_1024_of_a_pid_is_tried(void **state)
{
	(void)state;
	assert_true(last_of_many_is_bound("perf-7.map", 1024));
}

static void map_1025_of_a_pid_is_not(void **state)
{
	(void)state;
	assert_false(last_of_many_is_bound("perf-7.map", 1025));
}

static void map_1024_of_others_is_tried(void **state)
{
	(void)state;
	assert_true(last_of_many_is_bound("perf-8.map", 1024));
}

static void map_1025_of_others_is_not(void **state)
{
	(void)state;
	assert_false(last_of_many_is_bound("perf-8.map", 1025));
}

/* Returns the message about the choice. */
static const char *said(void)
{
	diag.quiet = false;
	diag.limit = 10;
	hear();
	bind_decide(binder, ps, false);
	diag.quiet = true;
	return heard(&run);
}

static void what_a_map_names_is_said(void **state)
{
	struct member m[] = { covering("perf-7.map", 97, "a") };

	(void)state;
	m[0].map = m[0].head =
	        arena_fmt(&run, PRSTR "%x 10 again\n", STRARG(m[0].map), CODE);
	add(m, 1);
	noted(7);
	/* Two names of one address are no matter of clocks. */
	assert_string_equal(said(),
	                    "bind: process 7: perf-7.map names 97 of 100 distinct JIT "
	                    "addresses\n");
}

static void map_that_is_not_used_is_said(void **state)
{
	struct member m[] = { covering("perf-7.map", 4, "a"),
		              covering("perf-8.map", 49, "b") };

	(void)state;
	add(m, 1);
	noted(7);
	assert_string_equal(said(),
	                    "bind: process 7: its own perf-7.map names only 4 of 100 JIT "
	                    "addresses and is not used\n");
}

static void map_of_another_that_is_not_used_is_said(void **state)
{
	struct member m[] = { covering("perf-8.map", 49, "b") };

	(void)state;
	add(m, 1);
	noted(7);
	assert_string_equal(
	        said(), "bind: process 7: no perf map of its own; perf-8.map names only "
	                "49 of 100 JIT addresses and is not used\n");
}

static void pid_0_has_its_own_map(void **state)
{
	struct member m[] = { covering("perf-0.map", 4, "a") };

	(void)state;
	add(m, 1);
	noted(0);
	assert_non_null(strstr(said(), "its own perf-0.map names only 4"));
}

static void rivals_are_said(void **state)
{
	struct member m[] = { covering("perf-1.map", 99, "a"),
		              covering("perf-2.map", 5, "b") };

	(void)state;
	add(m, 2);
	noted(7);
	assert_non_null(strstr(
	        said(), "process 7: several perf maps cover its JIT code; choose one "
	                "with -p 7=MAP\n"));
}

static void closed_maps_are_reported(void **state)
{
	struct member m[18] = { covering("perf-7.map", 99, "a") };

	(void)state;
	for (int i = 1; i < 18; i++)
		m[i] = covering(arena_fmt(&run, "perf-%d.map", 100 + i).p, 100, "b");
	source.members = m;
	source.n = 18;
	locate_add(&locator, &source, false, SIZE_MAX);
	noted(7);
	assert_non_null(strstr(said(),
	                       "bind: 17 perf maps not read, because their names are of "
	                       "processes without JIT code here: perf-101.map, ...\n"));
	assert_false(locator.item[1].opened);
}

static void maps_of_nobody_are_reported(void **state)
{
	struct member m[] = { covering("perf-7.map", 99, "a"),
		              covering("perf-8.map", 0, "b"),
		              covering("perf-9.map", 0, "c") };

	(void)state;
	add(m, 2);
	noted(7);
	assert_non_null(strstr(
	        said(),
	        "bind: perf-8.map: not used: it names no code of these processes\n"));
	leave(NULL);
	run = (struct arena){ 0 };
	enter(NULL);
	m[0] = covering("perf-7.map", 99, "a");
	m[1] = covering("perf-8.map", 0, "b");
	m[2] = covering("perf-9.map", 0, "c");
	add(m, 3);
	noted(7);
	assert_non_null(strstr(said(), "bind: 2 perf maps not used, because they name no "
	                               "code of these processes: "
	                               "perf-8.map, ...\n"));
}

/* A map of functions f0, f1, ... that begin so many bytes before those of the others. */
static struct member moved(const char *name, int n, int by)
{
	struct str s = STR("ffff0000 10 x\n");

	for (int i = 0; i < n; i++)
		s = arena_fmt(&run, "%s%x 10 m%d\n", s.p, CODE + i * 16 - by, i);
	s.n = strlen(s.p);
	return (struct member){ .name = str_of(name), .size = s.n, .map = s, .head = s };
}

/* How many maps are bound: the process's own has n addresses, the other is given. */
static size_t maps_bound(int n, struct member other)
{
	struct member m[] = { covering("perf-7.map", n, "a"), other };
	const struct bound_map *maps;

	add(m, 2);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
	return bind_maps(binder, &maps);
}

static void again(void)
{
	leave(NULL);
	run = (struct arena){ 0 };
	enter(NULL);
}

static void gaps_are_filled_by_maps_that_agree(void **state)
{
	(void)state;
	assert_int_equal(maps_bound(40, covering("perf-1.map", 50, "b")), 2);
	again();
	assert_int_equal(maps_bound(40, covering("perf-1.map", 49, "b")), 1);
	again();
	assert_int_equal(maps_bound(100, covering("perf-1.map", 100, "b")), 1);
	again();
	assert_int_equal(maps_bound(40, moved("perf-1.map", 100, 4)), 1);
}

static void reason_of_an_unused_map_is_true(void **state)
{
	struct member same[] = { covering("perf-7.map", 40, "a"),
		                 covering("perf-1.map", 30, "b") };
	struct member other[] = { covering("perf-7.map", 40, "a"),
		                  moved("perf-1.map", 100, 4) };
	struct member few[] = { covering("perf-7.map", 40, "a"),
		                covering("perf-1.map", 49, "b") };

	(void)state;
	add(same, 2);
	noted(7);
	assert_non_null(strstr(
	        said(),
	        "bind: perf-1.map: not used: other sources also name the 30 of 100 "
	        "JIT addresses of process 7 that it names\n"));
	again();
	other[0] = covering("perf-7.map", 40, "a");
	other[1] = moved("perf-1.map", 100, 4);
	add(other, 2);
	noted(7);
	assert_non_null(strstr(said(),
	                       "bind: perf-1.map: not used: other sources have different "
	                       "functions at 40 of 40 JIT addresses of process 7\n"));
	again();
	few[0] = covering("perf-7.map", 40, "a");
	few[1] = covering("perf-1.map", 49, "b");
	add(few, 2);
	noted(7);
	assert_non_null(strstr(
	        said(),
	        "bind: perf-1.map: not used: it names only 49 of 100 JIT addresses "
	        "of process 7\n"));
}

static void clock_of_a_dump_is_said(void **state)
{
	static const char text[] =
	        "bind: process 7: 100 of these addresses held several methods over time";
	static struct jitgen g;

	(void)state;
	for (int agrees = 0; agrees < 2; agrees++) {
		leave(NULL);
		run = (struct arena){ 0 };
		enter(NULL);
		g.n = 0;
		add_dump(&g, 7);
		noted(7);
		if (agrees)
			bind_clock_agrees(binder);
		assert_int_equal(strstr(said(), text) != NULL, !agrees);
	}
}

static void share_in_memory_is_said(void **state)
{
	struct member m[] = { covering("perf-7.map", 150, "a") };

	(void)state;
	m[0].map = m[0].head = str_from(m[0].map, str_find(m[0].map, '\n') + 1);
	add(m, 1);
	mapped(7);
	assert_non_null(strstr(said(), "bind: process 7: perf-7.map: 66.6 % of its code "
	                               "is in the memory of the process\n"));
}

/* A dump of pid that is cut off, and a map of 7 that names n addresses. */
static unsigned long warned_of(int pid, int n)
{
	static struct jitgen g;
	static struct member dump;
	static struct source other;
	struct member m[1];

	leave(NULL);
	run = (struct arena){ 0 };
	enter(NULL);
	m[0] = covering("perf-7.map", n, "a");
	g.n = 0;
	jit_header(&g, pid, 0, 0);
	jit_load(&g, pid, 100, 0x900000, 16, 1, "f");
	jit_load(&g, pid, 200, 0x900100, 16, 2, "g");
	g.n -= 3;
	add(m, 1);
	dump = (struct member){ .name = arena_fmt(&run, "jit-%d.dump", pid),
		                .size = g.n,
		                .map = jit_bytes(&g),
		                .head = jit_bytes(&g) };
	other = (struct source){ .kind = SOURCE_ARCHIVE, .members = &dump, .n = 1 };
	locate_add(&locator, &other, false, SIZE_MAX);
	noted(7);
	locate_jitdump(&locator, &locator.item[1]);
	bind_decide(binder, ps, false);
	return diag.warned;
}

/* The coverage reports it, with the setting that avoids it. */
static void dump_that_is_cut_off_is_no_warning(void **state)
{
	(void)state;
	assert_int_equal(warned_of(7, 100), 0);
	assert_int_equal(warned_of(7, 99), 0);
	assert_true(locator.item[1].jitdump->cut);
}

/* The map of images is open, as -m names it, and the process has a map of its own. */
static void open_map_is_tried_for_images_too(void **state)
{
	struct member own = covering("perf-7.map", 100, "a"),
	              m[] = { covering("x.map", 10, "b") };
	struct source other = { .kind = SOURCE_FILE, .members = &own, .n = 1 };
	const struct bound_map *maps;
	struct str text = STR("");

	(void)state;
	for (int i = 0; i < 10; i++)
		text = arena_fmt(&run, PRSTR "%x 10 b%d\n", STRARG(text),
		                 0x800000 + i * 16, i);
	m[0].map = m[0].head = text;
	m[0].size = text.n;
	locate_add(&locator, &other, false, SIZE_MAX);
	add(m, 1);
	noted(7);
	map_code(7, 0x800000, 160, "/app/a.dll");
	for (uint64_t i = 0; i < 10; i++)
		bind_note(binder, process_find(ps, 7, 0x800000, MODE_USER), 7,
		          0x800008 + i * 16, false, false);
	bind_decide(binder, ps, false);
	assert_int_equal(bind_maps(binder, &maps), 2);
}

static void maps_of_others_stay_closed_beside_an_own_one(void **state)
{
	struct member m[] = { covering("perf-7.map", 100, "a"),
		              covering("perf-8.map", 100, "b") };

	(void)state;
	add(m, 2);
	noted(7);
	bind_note(binder, process_find(ps, 7, CODE, MODE_USER), 7, CODE + 1, false,
	          false);
	bind_decide(binder, ps, false);
	assert_true(locator.item[0].opened);
	assert_false(locator.item[1].opened);
}

/* A nettrace that names less than half of the addresses is not bound behind the map. */
static void nettrace_of_another_is_not_asked(void **state)
{
	const struct bound_map *maps;
	struct perfmap *map;

	(void)state;
	bind_both(true);
	assert_int_equal(bind_maps(binder, &maps), 2);
	leave(NULL);
	run = (struct arena){ 0 };
	enter(NULL);
	{
		struct member m[] = { covering("perf-7.map", ADDRESSES, "a") };

		m[0].map = m[0].head =
		        arena_fmt(&run, PRSTR "%x 10 again\n", STRARG(m[0].map), CODE);
		add(m, 1);
	}
	add_nettrace(7);
	map = locator.item[locator.n - 1].perfmap;
	map->symbols.n = 49;
	noted(7);
	bind_clock_agrees(binder);
	bind_decide(binder, ps, false);
	assert_int_equal(bind_maps(binder, &maps), 1);
}

static void what_the_list_does_not_have_is_not_tried(void **state)
{
	struct member m[] = { covering("perf-7.map", 100, "a") };
	const struct bound_map *maps;

	(void)state;
	add(m, 1);
	locator.n--;
	noted(7);
	bind_decide(binder, ps, false);
	assert_int_equal(bind_maps(binder, &maps), 0);
}

/* A map of another process has no times that could tell more. */
static void only_a_nettrace_is_asked_behind_a_map(void **state)
{
	struct member m[] = { covering("perf-7.map", 100, "a"),
		              covering("x.map", 100, "b") };
	const struct bound_map *maps;

	(void)state;
	m[0].map = m[0].head =
	        arena_fmt(&run, PRSTR "%x 10 again\n", STRARG(m[0].map), CODE);
	m[0].size = m[0].map.n;
	add(m, 2);
	noted(7);
	bind_clock_agrees(binder);
	bind_decide(binder, ps, false);
	assert_int_equal(bind_maps(binder, &maps), 1);
	assert_true(bound_map_reused(&maps[0], CODE + 8));
	assert_false(bound_map_reused(&maps[0], CODE + 24));
}

/* The header of a dump that was renamed has the pid: then a tenth of the addresses suffices. */
static bool renamed_dump_is_bound(int pid, int process)
{
	static struct jitgen g;
	static struct member dump;
	static struct source other;
	const struct bound_map *maps;

	leave(NULL);
	run = (struct arena){ 0 };
	enter(NULL);
	g.n = 0;
	jit_header(&g, pid, 0, 0);
	jit_load(&g, pid, 100, CODE, ADDRESSES * 16 / 10, 1, "f");
	dump = (struct member){ .name = STR("x.dump"),
		                .size = g.n,
		                .map = jit_bytes(&g),
		                .head = jit_bytes(&g) };
	other = (struct source){ .kind = SOURCE_ARCHIVE, .members = &dump, .n = 1 };
	locate_add(&locator, &other, false, SIZE_MAX);
	noted(process);
	bind_decide(binder, ps, false);
	return bind_maps(binder, &maps) == 1;
}

static void renamed_dump_has_its_pid_in_its_header(void **state)
{
	(void)state;
	assert_true(renamed_dump_is_bound(7, 7));
	assert_true(renamed_dump_is_bound(0, 0));
	assert_false(renamed_dump_is_bound(7, 8));
}

static void renamed_dump_of_nobody_is_said_once(void **state)
{
	static struct jitgen g;
	struct member dump;
	struct source other = { .kind = SOURCE_ARCHIVE, .members = &dump, .n = 1 };

	(void)state;
	g.n = 0;
	jit_header(&g, 9, 0, 0);
	jit_load(&g, 9, 100, 0x900000, 16, 1, "f");
	dump = (struct member){ .name = STR("x.dump"),
		                .size = g.n,
		                .map = jit_bytes(&g),
		                .head = jit_bytes(&g) };
	locate_add(&locator, &other, false, SIZE_MAX);
	assert_string_equal(
	        said(), "bind: x.dump: not used: it names no code of these processes\n");
}

static void map_of_pid_0_stays_closed_too(void **state)
{
	struct member m[] = { covering("perf-7.map", 100, "a"),
		              covering("perf-0.map", 100, "b") };

	(void)state;
	add(m, 2);
	noted(7);
	bind_decide(binder, ps, false);
	assert_true(locator.item[0].opened);
	assert_false(locator.item[1].opened);
}

static void nettrace_needs_the_clock(void **state)
{
	const struct bound_map *maps;

	(void)state;
	bind_both(false);
	assert_int_equal(bind_maps(binder, &maps), 1);
}

/* A perf map names no code of the kernel, a nettrace does. */
static void kernel_is_named_by_whole_maps(void **state)
{
	const struct mapping kernel = { .id = 1000,
		                        .pid = -1,
		                        .kind = MAPPED_KERNEL,
		                        .start = CODE,
		                        .end = CODE + 0x1000,
		                        .first = CODE,
		                        .last = CODE + 0x1000 };
	struct bind_query q = { .m = &kernel, .pid = 7, .ip = CODE + 8 };
	struct member m[] = { covering("perf-7.map", 100, "a") };
	struct bound_name name;

	(void)state;
	add(m, 1);
	noted(7);
	bind_decide(binder, ps, false);
	first_is(7, "a0");
	assert_false(bound_map_find(binder, &q, &name));
	locator.item[0].perfmap->whole = true;
	assert_true(bound_map_find(binder, &q, &name));
	assert_false(name.jit);
}

static void each_of_many_processes_has_its_own(void **state)
{
	enum { FIRST_PID = 1000, PROCESSES = 100 };
	struct member *m = arena_new(&run, struct member, PROCESSES);
	const struct bound_map *maps;

	(void)state;
	for (int i = 0; i < PROCESSES; i++)
		m[i] = covering(arena_fmt(&run, "perf-%d.map", FIRST_PID + i).p, 60,
		                arena_fmt(&run, "p%d_", i).p);
	source.members = m;
	source.n = PROCESSES;
	locate_add(&locator, &source, false, SIZE_MAX);
	for (int i = 0; i < PROCESSES; i++)
		noted(FIRST_PID + i);
	bind_decide(binder, ps, false);
	assert_int_equal(bind_maps(binder, &maps), PROCESSES);
	for (int i = 0; i < PROCESSES; i++) {
		first_is(FIRST_PID + i, arena_fmt(&run, "p%d_0", i).p);
		assert_int_equal(maps[i].covered, 60);
		assert_int_equal(maps[i].of, ADDRESSES);
	}
}

/* The addresses of an ELF file that is nowhere prove nothing. */
static void neighbours_that_are_needed_are_one_range(void **state)
{
	struct needed needed;

	(void)state;
	map_code(7, 0x10000, 0x1000, "//anon");
	map_code(7, 0x20000, 0x1000, "/app/a.dll");
	map_code(7, 0x30000, 0x1000, "/srv/app/libnowhere.so");
	map_code(7, 0x40000, 0x1000, "//anon");
	bind_needs(binder, ps, 7, &needed);
	assert_false(needed.all);
	assert_int_equal(needed.n, 2);
	assert_int_equal(needed.range[0].start, 0x10000);
	assert_int_equal(needed.range[0].end, 0x21000);
	assert_int_equal(needed.range[1].start, 0x40000);
	assert_int_equal(needed.range[1].end, 0x41000);

	for (uint64_t i = 2; i < NEEDED_RANGES; i++) {
		map_code(7, 0x10000 + 0x20000 * i, 0x1000, "/srv/app/libnowhere.so");
		map_code(7, 0x20000 + 0x20000 * i, 0x1000, "//anon");
	}
	bind_needs(binder, ps, 7, &needed);
	assert_false(needed.all);
	assert_int_equal(needed.n, NEEDED_RANGES);
	map_code(7, 0x1000000, 0x1000, "/srv/app/libnowhere.so");
	map_code(7, 0x2000000, 0x1000, "//anon");
	bind_needs(binder, ps, 7, &needed);
	assert_true(needed.all);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(same_map_in_two_sources_is_no_rival),
		test(map_1024_of_a_pid_is_tried),
		test(map_1025_of_a_pid_is_not),
		test(map_1024_of_others_is_tried),
		test(map_1025_of_others_is_not),
		test(what_a_map_names_is_said),
		test(map_that_is_not_used_is_said),
		test(map_of_another_that_is_not_used_is_said),
		test(pid_0_has_its_own_map),
		test(rivals_are_said),
		test(closed_maps_are_reported),
		test(maps_of_nobody_are_reported),
		test(gaps_are_filled_by_maps_that_agree),
		test(reason_of_an_unused_map_is_true),
		test(clock_of_a_dump_is_said),
		test(share_in_memory_is_said),
		test(dump_that_is_cut_off_is_no_warning),
		test(open_map_is_tried_for_images_too),
		test(maps_of_others_stay_closed_beside_an_own_one),
		test(nettrace_of_another_is_not_asked),
		test(what_the_list_does_not_have_is_not_tried),
		test(only_a_nettrace_is_asked_behind_a_map),
		test(renamed_dump_has_its_pid_in_its_header),
		test(renamed_dump_of_nobody_is_said_once),
		test(map_of_pid_0_stays_closed_too),
		test(nettrace_needs_the_clock),
		test(kernel_is_named_by_whole_maps),
		test(each_of_many_processes_has_its_own),
		test(neighbours_that_are_needed_are_one_range),
	};

	return cmocka_run_group_tests_name("maps_tried", tests, NULL, NULL);
}
