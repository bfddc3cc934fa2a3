/* Who had what mapped, when. */
#include "process/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "given.h"
#include "process/file_offset.h"

static const uint64_t HALF = (uint64_t)1 << 63; /* addresses of the kernel */
enum { BYTES = 400, ROUNDS = 200, MAPS = 60, MANY = 200000 };

static struct arena run;
static struct interner names;
static struct processes *ps;

static int enter(void **state)
{
	(void)state;
	intern_init(&names, &run);
	ps = process_new(&run, &names);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static void map_event(int32_t pid, struct mmap_event m)
{
	struct event ev = { .kind = EV_MMAP, .pid = pid, .tid = pid, .map = m };

	process_apply(ps, &ev);
}

static void map(int32_t pid, uint64_t start, uint64_t len, uint64_t off, const char *path)
{
	map_event(pid, (struct mmap_event){ .start = start,
	                                    .len = len,
	                                    .file_off = off,
	                                    .prot = PROT_READ | PROT_EXEC,
	                                    .path = str_of(path),
	                                    .cpumode = MODE_USER });
}

/* Process 7 has so many mappings that they are indexed. */
static int enter_many(void **state)
{
	enter(state);
	for (uint64_t i = 0; i < 40; i++)
		map(7, 0x900000000 + i * 0x1000, 0x1000, i * 0x1000, "/many");
	return 0;
}

static void comm(int32_t pid, int32_t tid, const char *name)
{
	struct event ev = {
		.kind = EV_COMM, .pid = pid, .tid = tid, .comm = str_of(name)
	};

	process_apply(ps, &ev);
}

static void forked(int32_t ppid, int32_t ptid, int32_t pid, int32_t tid)
{
	struct event ev = { .kind = EV_FORK,
		            .pid = pid,
		            .tid = tid,
		            .ppid = ppid,
		            .ptid = ptid,
		            .has_time = true };

	process_apply(ps, &ev);
}

static const struct mapping *at(int32_t pid, uint64_t ip)
{
	return process_find(ps, pid, ip, MODE_USER);
}

static void path_is(int32_t pid, uint64_t ip, const char *path)
{
	const struct mapping *m = at(pid, ip);

	if (!path) {
		assert_null(m);
		return;
	}
	assert_non_null(m);
	assert_true(ip >= m->start && ip < m->end);
	assert_true(str_eq(intern_str(&names, m->path), str_of(path)));
}

static str_id name(const char *text)
{
	return intern(&names, str_of(text));
}

static void later_mapping_cuts_earlier_ones(void **state)
{
	(void)state;
	map(1, 100, 100, 0, "/a");
	map(1, 200, 100, 0, "/b");
	map(1, 150, 100, 0, "/c");
	path_is(1, 99, NULL);
	path_is(1, 100, "/a");
	path_is(1, 149, "/a");
	path_is(1, 150, "/c");
	path_is(1, 249, "/c");
	path_is(1, 250, "/b");
	path_is(1, 299, "/b");
	path_is(1, 300, NULL);
	path_is(2, 150, NULL);
}

static void pieces_keep_id_and_offsets(void **state)
{
	const struct mapping *low, *high;

	(void)state;
	map(1, 0x1000, 0x3000, 0x500, "/a");
	map(1, 0x2000, 0x1000, 0, "/b");
	low = at(1, 0x1fff);
	high = at(1, 0x3000);
	assert_int_equal(low->id, high->id);
	assert_int_not_equal(low->id, at(1, 0x2000)->id);
	assert_int_equal(low->end, 0x2000);
	assert_int_equal(high->start, 0x3000);
	assert_int_equal(high->first, 0x1000);
	assert_int_equal(low->last, 0x4000);
	assert_int_equal(mapping_printed(high, 0x3001), 0x2501);
	assert_int_equal(mapping_printed(low, 0x1001), 0x501);
}

static void fork_shares_and_then_diverges(void **state)
{
	(void)state;
	map(1, 100, 100, 0, "/a");
	forked(1, 1, 2, 2);
	path_is(2, 150, "/a");
	assert_int_equal(at(1, 150)->id, at(2, 150)->id);
	map(2, 100, 50, 0, "/child");
	map(1, 150, 50, 0, "/parent");
	path_is(1, 120, "/a");
	path_is(2, 120, "/child");
	path_is(1, 170, "/parent");
	path_is(2, 170, "/a");
}

static void thread_is_no_process(void **state)
{
	(void)state;
	map(1, 100, 100, 0, "/a");
	forked(1, 1, 1, 5);
	assert_int_equal(process_of_thread(ps, 5), 1);
	assert_int_equal(process_get_only(ps), 1);
	path_is(5, 150, NULL);
}

static void comm_is_inherited_until_it_changes(void **state)
{
	(void)state;
	assert_int_equal(process_comm(ps, 1).n, 0);
	comm(1, 1, "sh");
	forked(1, 1, 2, 2);
	assert_true(str_eq(process_comm(ps, 2), STR("sh")));
	comm(2, 2, "perf");
	assert_true(str_eq(process_comm(ps, 1), STR("sh")));
	assert_true(str_eq(process_comm(ps, 2), STR("perf")));
	forked(2, 2, 2, 3);
	assert_true(str_eq(process_comm(ps, 3), STR("perf")));
	comm(2, 3, "");
	assert_int_equal(process_comm(ps, 3).n, 0);
	process_end_comm(ps, 2);
	process_end_comm(ps, 77);
	assert_int_equal(process_comm(ps, 2).n, 0);
	assert_true(str_eq(process_comm(ps, 1), STR("sh")));
	comm(2, 2, "again");
	assert_true(str_eq(process_comm(ps, 2), STR("again")));
}

static void pid_used_again_starts_from_its_parent(void **state)
{
	(void)state;
	map(1, 100, 100, 0, "/a");
	forked(1, 1, 2, 2);
	map(2, 500, 100, 0, "/old");
	map(3, 900, 100, 0, "/three");
	forked(3, 3, 2, 2);
	path_is(2, 150, NULL);
	path_is(2, 550, NULL);
	path_is(2, 950, "/three");
}

/* Each processor writes a buffer of its own, and no time sorts their records. */
static void fork_without_a_time_keeps_the_mappings_that_precede_it(void **state)
{
	struct event ev = { .kind = EV_FORK, .pid = 2, .tid = 2, .ppid = 1, .ptid = 1 };

	(void)state;
	map(1, 100, 100, 0, "/a");
	process_apply(ps, &ev);
	path_is(2, 150, "/a");
	map(2, 100, 100, 0, "/exec");
	process_apply(ps, &ev);
	path_is(2, 150, "/exec");
	ev.has_time = true;
	process_apply(ps, &ev);
	path_is(2, 150, "/a");
}

/* Before its exec, the process ran code in the file of its parent. */
static void fork_without_a_time_adds_the_mappings_of_the_parent(void **state)
{
	struct event ev = { .kind = EV_FORK, .pid = 2, .tid = 2, .ppid = 1, .ptid = 1 };

	(void)state;
	map(1, 100, 100, 0, "/shell");
	map(1, 300, 100, 0, "/libc");
	map(2, 150, 100, 0, "/exec");
	map(2, 200, 100, 0, "/linker");
	path_is(2, 350, NULL);
	process_apply(ps, &ev);
	path_is(2, 149, "/shell");
	path_is(2, 150, "/exec");
	path_is(2, 200, "/linker");
	path_is(2, 299, "/linker");
	path_is(2, 350, "/libc");
	assert_non_null(file_offset_find(ps, 2, name("/libc"), 50, NULL));
	map(2, 300, 100, 0, "/later");
	path_is(2, 350, "/later");
	path_is(1, 150, "/shell");
	path_is(1, 350, "/libc");
	/* Another FORK of the same process changes nothing. */
	process_apply(ps, &ev);
	path_is(2, 350, "/later");
}

static void kernel_is_everybodys(void **state)
{
	struct mmap_event m = { .start = 0xffffffff81000000,
		                .len = 0x1000,
		                .file_off = 0xffffffff81000000,
		                .path = STR("[kernel.kallsyms]"),
		                .cpumode = MODE_KERNEL };
	const struct mapping *found;

	(void)state;
	map_event(-1, m);
	found = process_find(ps, 77, 0xffffffff81000010, MODE_KERNEL);
	assert_non_null(found);
	assert_int_equal(found->kind, MAPPED_KERNEL);
	assert_int_equal(found->pid, -1);
	assert_int_equal(mapping_printed(found, 0xffffffff81000010), 0xffffffff81000010);
	assert_null(at(77, 0xffffffff81000010));
	assert_int_equal(process_get_only(ps), -1);
}

/* A virtual machine has the addresses of this process and of its own kernel. */
static void code_of_a_virtual_machine_is_not_its_hosts(void **state)
{
	struct mmap_event guest = { .start = HALF,
		                    .len = HALF - 1,
		                    .path = STR("guest") };
	uint64_t changes;

	(void)state;
	map(7, 0x1000, 0x1000, 0, "/bin/qemu");
	map_event(-1, (struct mmap_event){ .start = HALF,
	                                   .len = HALF - 1,
	                                   .path = STR("[kernel.kallsyms]"),
	                                   .cpumode = MODE_KERNEL });
	changes = process_changes(ps);
	for (guest.cpumode = MODE_HV; guest.cpumode <= MODE_GUEST_USER; guest.cpumode++) {
		map_event(-1, guest);
		assert_null(process_find(ps, 7, 0x1800, guest.cpumode));
		assert_null(process_find(ps, 7, HALF + 1, guest.cpumode));
	}
	assert_int_equal(process_changes(ps), changes);
	path_is(7, 0x1800, "/bin/qemu");
	assert_non_null(process_find(ps, 7, HALF + 1, MODE_KERNEL));
}

static void memory_without_a_file_is_named_after_the_process(void **state)
{
	static const struct {
		const char *path, *module;
		uint32_t flags;
		enum map_kind kind;
	} all[] = {
		{ "//anon", "/tmp/perf-7.map", 0, MAPPED_ANON },
		{ "[heap]", "/tmp/perf-7.map", 0, MAPPED_ANON },
		{ "[stack]", "/tmp/perf-7.map", 0, MAPPED_ANON },
		{ "/SYSV00000000 (deleted)", "/tmp/perf-7.map", 0, MAPPED_ANON },
		{ "/dev/zero (deleted)", "/tmp/perf-7.map", 0, MAPPED_ANON },
		{ "/x", "/tmp/perf-7.map", MAP_HUGETLB, MAPPED_ANON },
		{ "[vdso]", "[vdso]", 0, MAPPED_IMAGE },
		{ "/memfd:doublemapper (deleted)", "/memfd:doublemapper (deleted)", 0,
		  MAPPED_DOUBLEMAPPER },
		{ "/usr/lib/x.so", "/usr/lib/x.so", 0, MAPPED_IMAGE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct mmap_event m = { .start = 0x1000 * (i + 1),
			                .len = 0x1000,
			                .prot = PROT_EXEC,
			                .flags = all[i].flags,
			                .path = str_of(all[i].path) };
		const struct mapping *found;

		map_event(7, m);
		found = at(7, m.start);
		assert_int_equal(found->kind, all[i].kind);
		assert_int_equal(found->module, name(all[i].module));
	}
}

/* .NET maps the same file again, larger, at another place. */
static void offset_is_found_in_the_newest_mapping(void **state)
{
	str_id dm = name("/memfd:doublemapper (deleted)");
	const struct mapping *m;

	(void)state;
	map(7, 0x10000, 0x1000, 0, "/memfd:doublemapper (deleted)");
	m = file_offset_find(ps, 7, dm, 0x800, NULL);
	assert_int_equal(m->start, 0x10000);
	map(7, 0x40000, 0x3000, 0, "/memfd:doublemapper (deleted)");
	m = file_offset_find(ps, 7, dm, 0x800, NULL);
	assert_int_equal(m->start, 0x40000);
	m = file_offset_find(ps, 7, dm, 0x2fff, NULL);
	assert_int_equal(0x2fff + m->bias, 0x42fff);
	assert_null(file_offset_find(ps, 7, dm, 0x3000, NULL));
	assert_null(file_offset_find(ps, 8, dm, 0x800, NULL));
	assert_null(file_offset_find(ps, 7, name("/x"), 0x800, NULL));
}

static void offset_in_what_was_replaced_is_not_found(void **state)
{
	(void)state;
	map(7, 0x10000, 0x2000, 0, "/a");
	map(7, 0x11000, 0x1000, 0, "/b");
	assert_non_null(file_offset_find(ps, 7, name("/a"), 0xfff, NULL));
	assert_null(file_offset_find(ps, 7, name("/a"), 0x1000, NULL));
}

static void offset_is_found_in_an_older_mapping_that_still_stands(void **state)
{
	(void)state;
	map(7, 0x10000, 0x1000, 0, "/a");
	map(7, 0x40000, 0x1000, 0, "/a");
	assert_int_equal(file_offset_find(ps, 7, name("/a"), 8, NULL)->start, 0x40000);
	map(7, 0x40000, 0x1000, 0, "/b");
	assert_int_equal(file_offset_find(ps, 7, name("/a"), 8, NULL)->start, 0x10000);
	map(7, 0x10000, 0x1000, 0, "/b");
	assert_null(file_offset_find(ps, 7, name("/a"), 8, NULL));
}

static void offset_may_be_mapped_elsewhere_too(void **state)
{
	const struct mapping *m;

	(void)state;
	map(7, 0x10000, 0x4000, 0, "/a");
	m = file_offset_find(ps, 7, name("/a"), 0x1008, NULL);
	assert_null(file_offset_find(ps, 7, name("/a"), 0x1008, m));
	map(7, 0x70000, 0x1000, 0x1000, "/a");
	m = file_offset_find(ps, 7, name("/a"), 0x1008, NULL);
	assert_int_equal(m->start, 0x70000);
	assert_int_equal(file_offset_find(ps, 7, name("/a"), 0x1008, m)->start, 0x10000);
	map(7, 0x10000, 0x4000, 0, "/b");
	assert_null(file_offset_find(ps, 7, name("/a"), 0x1008, m));
}

static void assumed_mapping_is_the_file_itself(void **state)
{
	const struct mapping *m = process_assume(ps, name("/a")), *const * all;

	(void)state;
	assert_true(m->assumed);
	assert_int_equal(0x1234 - m->bias, 0x1234);
	assert_ptr_equal(m, process_assume(ps, name("/a")));
	assert_int_not_equal(m->id, process_assume(ps, name("/b"))->id);
	assert_int_equal(process_mappings(ps, &all), 2);
	/* Mappings that are told of count as if there were none. */
	map(7, 0x10000, 0x1000, 0, "/a");
	assert_int_equal(file_offset_find(ps, 7, name("/a"), 8, NULL)->id, 1);
	assert_int_equal(process_assume(process_new(&run, &names), name("/a"))->id,
	                 m->id);
}

static void assumed_place_is_of_one_process(void **state)
{
	const struct mapping *m = process_assume_at(ps, 7, name("/a"), 0x5000);

	(void)state;
	assert_true(m->assumed);
	assert_int_equal(m->bias, 0x5000);
	assert_ptr_equal(m, process_assume_at(ps, 7, name("/a"), 0x5000));
	assert_int_not_equal(m->id, process_assume_at(ps, 8, name("/a"), 0x6000)->id);
	assert_int_not_equal(m->id, process_assume(ps, name("/a"))->id);
	assert_null(process_find(ps, 7, 0x5010, MODE_USER));
	assert_int_equal(
	        process_assume_at(process_new(&run, &names), 7, name("/a"), 0x5000)->id,
	        m->id);
	/* A pid may stand for several processes that nothing tells apart. */
	assert_int_not_equal(m->id, process_assume_at(ps, 7, name("/a"), 0x6000)->id);
}

static void offset_is_found_in_what_a_parent_mapped(void **state)
{
	(void)state;
	map(1, 0x10000, 0x2000, 0x500, "/a");
	forked(1, 1, 2, 2);
	forked(2, 2, 3, 3);
	assert_int_equal(file_offset_find(ps, 3, name("/a"), 0x501, NULL)->start,
	                 0x10000);
	forked(9, 9, 9, 9);
	assert_null(file_offset_find(ps, 9, name("/a"), 0x501, NULL));
}

static void only_is_who_has_mappings(void **state)
{
	(void)state;
	assert_int_equal(process_get_only(ps), -1);
	forked(1, 1, 2, 2);
	comm(3, 3, "x");
	assert_int_equal(process_get_only(ps), -1);
	map(7, 100, 100, 0, "/a");
	assert_int_equal(process_get_only(ps), 7);
	map(8, 100, 100, 0, "/a");
	assert_int_equal(process_get_only(ps), -1);
}

static void range_that_wraps_or_is_empty_does_no_harm(void **state)
{
	(void)state;
	map(1, 100, 0, 0, "/empty");
	path_is(1, 100, NULL);
	map(1, UINT64_MAX - 10, UINT64_MAX, 0, "/wraps");
	path_is(1, UINT64_MAX - 10, "/wraps");
	path_is(1, 5, NULL);
	map(1, 0x1000, 0x1000, UINT64_MAX - 5, "/off");
	path_is(1, 0x1800, "/off");
	file_offset_find(ps, 1, name("/off"), UINT64_MAX - 5, NULL);
}

/* What byte-by-byte arrays say, the trees say. */
static void random_mappings_are_as_in_a_naive_model(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t model[3][BYTES] = { 0 };
		int live = 1;

		ps = process_new(&run, &names);
		for (uint32_t id = 1; id <= MAPS; id++) {
			uint64_t start = given_random(&seed) % BYTES;
			uint64_t len = given_random(&seed) % (BYTES - start + 1);
			int p = (int)(given_random(&seed) % (unsigned)live);

			if (live < 3 && given_random(&seed) % 16 == 0) {
				memcpy(model[live], model[p], sizeof(model[p]));
				forked(p, p, live, live);
				live++;
			}
			map(p, start, len, 0, "/x");
			for (uint64_t k = start; k < start + len; k++)
				model[p][k] = id;
		}
		for (int p = 0; p < live; p++)
			for (uint64_t k = 0; k < BYTES; k++) {
				const struct mapping *m = at(p, k);

				assert_int_equal(m ? m->id : 0, model[p][k]);
			}
	}
}

/* What n mappings, each of a process forked from the last, take of memory. */
static size_t bytes_of(int32_t n)
{
	size_t before = run.bytes;
	uint64_t seed = 5;

	ps = process_new(&run, &names);
	for (int32_t i = 0; i < n; i++) {
		map(i, given_random(&seed) % (uint64_t)n * 4096, 8192, 0, "/x");
		forked(i, i, i + 1, i + 1);
	}
	return run.bytes - before;
}

/* perf makes up a FORK for each process that runs when it begins, and lists its mappings. */
static void fork_made_up_by_perf_shares_nothing(void **state)
{
	struct event ev = { .kind = EV_FORK, .pid = 2, .tid = 2, .ppid = 1, .ptid = 1 };

	(void)state;
	map(1, 0x1000, 0x1000, 0, "/a");
	ev.misc = 1 << 13;
	process_apply(ps, &ev);
	assert_null(at(2, 0x1000));
	forked(1, 1, 2, 2);
	assert_non_null(at(2, 0x1000));
}

static void mappings_are_walked_upwards(void **state)
{
	(void)state;
	map(1, 0x5000, 0x1000, 0, "/b");
	map(1, 0x1000, 0x1000, 0, "/a");
	map(2, 0x0, 0x1000, 0, "/c");
	assert_int_equal(process_find_from(ps, 1, 0)->start, 0x1000);
	assert_int_equal(process_find_from(ps, 1, 0x1fff)->start, 0x1000);
	assert_int_equal(process_find_from(ps, 1, 0x2000)->start, 0x5000);
	assert_null(process_find_from(ps, 1, 0x6000));
	assert_null(process_find_from(ps, 3, 0));
}

static void kernel_map(uint64_t start)
{
	map_event(-1, (struct mmap_event){ .start = start,
	                                   .len = 0x1000,
	                                   .path = STR("[kernel.kallsyms]"),
	                                   .cpumode = MODE_KERNEL });
}

static void state_is_new_for_whom_something_changed(void **state)
{
	uint64_t one, two, child;

	(void)state;
	map(1, 0x1000, 0x1000, 0, "/a");
	one = process_state(ps, 1);
	two = process_state(ps, 2);
	assert_true(one && two && one != two);
	comm(1, 1, "x");
	assert_int_equal(process_state(ps, 1), one);
	map(1, 0x2000, 0x1000, 0, "/a");
	assert_true(process_state(ps, 1) > two);
	assert_int_equal(process_state(ps, 2), two);
	forked(1, 1, 3, 3);
	child = process_state(ps, 3);
	assert_true(child != process_state(ps, 1));
	kernel_map(0xffffffff81000000);
	assert_true(process_state(ps, 2) > child);
	assert_true(process_state(ps, 3) > child);
	assert_true(process_state(ps, 3) != process_state(ps, 2));
}

/*
 * Each step of an insertion behind a fork makes a node, so that memory tells the work: n log n for all,
 * where copies of what a parent has, or a tree without balance, would make it a square.
 */
static void many_mappings_and_forks_cost_no_square(void **state)
{
	size_t before = bytes_of(MANY / 400);

	(void)state;
	for (int32_t n = MANY / 20; n <= MANY; n *= 20) {
		size_t bytes = bytes_of(n);

		if (bytes > 40 * before)
			fail_msg("%zu bytes for %d, %zu for %d", before, n / 20, bytes,
			         n);
		before = bytes;
	}
	assert_int_equal(file_offset_find(ps, 3, name("/none"), 0, NULL), 0);
}

static void process_without_pid_is_the_process(void **state)
{
	(void)state;
	assert_string_equal(process_label(8039).text, "process 8039");
	assert_string_equal(process_label(INT32_MAX).text, "process 2147483647");
	assert_string_equal(process_label(-1).text, "the process");
}

/* Two events that both passes have, and a third that differs. */
static const struct mapping *third_of_pass(const char *path)
{
	const struct mapping *const *all;

	map(1, 0x1000, 0x1000, 0, "/a");
	map(2, 0x5000, 0x1000, 0, "/b");
	map(1, 0x2000, 0x1000, 0, path);
	assert_int_equal(process_mappings(ps, &all), 3);
	return all[2];
}

static void mappings_of_a_second_pass_are_those_of_the_first(void **state)
{
	struct processes *before = ps;
	const struct mapping *const *old, *const *all;
	const struct mapping *m = third_of_pass("/c"), *other;

	(void)state;
	ps = process_again(before);
	assert_null(at(1, 0x1000));
	assert_ptr_equal(third_of_pass("/c"), m);
	ps = process_again(before);
	other = third_of_pass("/d");
	assert_ptr_not_equal(other, m);
	assert_ptr_equal(at(1, 0x2000), other);
	assert_int_equal(process_mappings(ps, &all), 3);
	assert_int_equal(process_mappings(before, &old), 3);
	assert_ptr_equal(all[1], old[1]);
	assert_ptr_equal(old[2], m);
}

static void mappings_behind_one_that_differs_are_new(void **state)
{
	struct processes *before = ps;
	const struct mapping *m, *fourth;

	(void)state;
	third_of_pass("/c");
	map(3, 0x1000, 0x1000, 0, "/e");
	fourth = at(3, 0x1000);
	ps = process_again(before);
	third_of_pass("/d");
	map(3, 0x1000, 0x1000, 0, "/e");
	m = at(3, 0x1000);
	assert_ptr_not_equal(m, fourth);
	assert_int_equal(m->id, fourth->id);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)
#define test_many(name)                                                                  \
	{                                                                                \
#name " of many", name, enter_many, leave, NULL                          \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(later_mapping_cuts_earlier_ones),
		test(pieces_keep_id_and_offsets),
		test(fork_shares_and_then_diverges),
		test(thread_is_no_process),
		test(comm_is_inherited_until_it_changes),
		test(pid_used_again_starts_from_its_parent),
		test(fork_without_a_time_keeps_the_mappings_that_precede_it),
		test(fork_without_a_time_adds_the_mappings_of_the_parent),
		test(kernel_is_everybodys),
		test(code_of_a_virtual_machine_is_not_its_hosts),
		test(memory_without_a_file_is_named_after_the_process),
		test(offset_is_found_in_the_newest_mapping),
		test(offset_in_what_was_replaced_is_not_found),
		test(offset_is_found_in_an_older_mapping_that_still_stands),
		test(offset_may_be_mapped_elsewhere_too),
		test_many(offset_is_found_in_the_newest_mapping),
		test_many(offset_in_what_was_replaced_is_not_found),
		test_many(offset_is_found_in_an_older_mapping_that_still_stands),
		test_many(offset_may_be_mapped_elsewhere_too),
		test(assumed_mapping_is_the_file_itself),
		test(assumed_place_is_of_one_process),
		test(offset_is_found_in_what_a_parent_mapped),
		test(only_is_who_has_mappings),
		test(range_that_wraps_or_is_empty_does_no_harm),
		test(random_mappings_are_as_in_a_naive_model),
		test(fork_made_up_by_perf_shares_nothing),
		test(mappings_are_walked_upwards),
		test(state_is_new_for_whom_something_changed),
		test(mappings_of_a_second_pass_are_those_of_the_first),
		test(mappings_behind_one_that_differs_are_new),
		test(process_without_pid_is_the_process),
		test(many_mappings_and_forks_cost_no_square),
	};

	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
