/* perf.data: records made here, read as events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "perfmade.h"

static void next_round(void)
{
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_int_equal(ev.kind, EV_ROUND);
}

static void samples_wait_for_the_round_after_theirs(void **state)
{
	(void)state;
	begin();
	put_time(30);
	put_round();
	put_time(10); /* nothing was let go: no round before it */
	put_time(40);
	put_round();  /* up to 30 */
	put_time(20); /* too late */
	put_time(35);
	put_round(); /* up to 40 */
	assert_non_null(over(gen_finish(&g)));
	next_round();
	next_round();
	next_sample(10);
	next_sample(30);
	next_round(); /* is said before what it lets go */
	next_sample(20);
	next_sample(35);
	next_sample(40);
	assert_int_equal(reader_next(reader, &ev), 0);
	assert_int_equal(diag.damaged, 0);
}

static void equal_times_keep_their_places(void **state)
{
	uint64_t ip = 0;

	(void)state;
	begin();
	for (uint64_t i = 0; i < 300; i++) {
		ip = 0x1000 + i;
		put_sample(1 + i * 7 % 5, &ip, 1);
	}
	assert_non_null(over(gen_finish(&g)));
	for (uint64_t time = 1; time <= 5; time++)
		for (uint64_t i = 0; i < 300; i++) {
			if (1 + i * 7 % 5 != time)
				continue;
			next_sample(time);
			assert_int_equal(ev.frames[0].ip, 0x1000 + i);
		}
	assert_int_equal(reader_next(reader, &ev), 0);
}

static void record_without_time_acts_at_its_place(void **state)
{
	(void)state;
	begin();
	put_time(30);
	put_comm(0, 0, "first");
	put_comm(UINT64_MAX, 0, "second");
	put_comm(20, 1 << 13, "timed");
	assert_non_null(over(gen_finish(&g)));
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(reader_next(reader, &ev), 1);
		assert_int_equal(ev.kind, EV_COMM);
		assert_false(ev.has_time || ev.exec);
		assert_true(str_eq(ev.comm, i ? STR("second") : STR("first")));
	}
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_true(ev.kind == EV_COMM && ev.has_time && ev.exec && ev.time_ns == 20);
	next_sample(30);
}

static void markers_say_whose_an_address_is(void **state)
{
	const uint64_t ips[] = { 0x1,
		                 (uint64_t)-128,
		                 0xffff1,
		                 0xffff2,
		                 (uint64_t)-512,
		                 0x2,
		                 0x3,
		                 (uint64_t)-100,
		                 0x4,
		                 (uint64_t)-640,
		                 0x5,
		                 0x6 };
	const struct frame want[] = {
		{ .ip = 0x1, .cpumode = MODE_USER },
		{ .ip = 0xffff1, .cpumode = MODE_KERNEL },
		{ .ip = 0xffff2, .cpumode = MODE_KERNEL, .caller = true },
		{ .ip = 0x2, .cpumode = MODE_USER },
		{ .ip = 0x3, .cpumode = MODE_USER, .caller = true },
		{ .ip = 0x4, .cpumode = MODE_USER }, /* -100 is no marker we know */
		{ .ip = 0x6, .cpumode = MODE_USER }, /* 5 is the cookie of -640 */
	};

	(void)state;
	begin();
	put_sample(5, ips, 12);
	put_sample(6, ips, 0);
	assert_non_null(over(gen_finish(&g)));
	next_sample(5);
	assert_int_equal(ev.nframes, 7);
	for (size_t i = 0; i < 7; i++) {
		assert_int_equal(ev.frames[i].ip, want[i].ip);
		assert_int_equal(ev.frames[i].cpumode, want[i].cpumode);
		assert_int_equal(ev.frames[i].caller, want[i].caller);
	}
	assert_true(ev.pid == 42 && ev.tid == 43 && ev.cpu == -1 && ev.weight == 1000);
	next_sample(6);
	assert_int_equal(ev.nframes, 0);
}

/* One of each record; the same events whatever the byte order and the mode. */
static void put_one_of_each(void)
{
	const uint64_t ips[] = { (uint64_t)-128, 0xffffffff81000010, (uint64_t)-512,
		                 0x4010 };

	put_comm(0, 0, "shell");
	gen_open(&g, 10, 2);
	gen_u32(&g, 42);
	gen_u32(&g, 43);
	gen_u64(&g, 0x4000);
	gen_u64(&g, 0x1000);
	gen_u64(&g, 0x3000);
	gen_u32(&g, 8);
	gen_u32(&g, 1);
	gen_u64(&g, 77);
	gen_u64(&g, 78);
	gen_u32(&g, 5);
	gen_u32(&g, 2);
	gen_text(&g, "/usr/bin/app");
	gen_trailer(&g, &clock_event, 42, 43, 1);
	gen_close(&g);
	gen_open(&g, 7, 0);
	gen_u32(&g, 50);
	gen_u32(&g, 42);
	gen_u32(&g, 51);
	gen_u32(&g, 43);
	gen_u64(&g, 2);
	gen_trailer(&g, &clock_event, 42, 43, 2);
	gen_close(&g);
	put_sample(3, ips, 4);
	gen_open(&g, 2, 0);
	gen_u64(&g, 7);
	gen_u64(&g, 99);
	gen_trailer(&g, &clock_event, 42, 43, 4);
	gen_close(&g);
}

static void check_one_of_each(void)
{
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_true(ev.kind == EV_COMM && str_eq(ev.comm, STR("shell")));
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_true(ev.kind == EV_MMAP && ev.map.start == 0x4000 && ev.map.len == 0x1000);
	assert_true(ev.map.file_off == 0x3000 && ev.map.maj == 8 && ev.map.min == 1);
	assert_true(ev.map.ino == 77 && ev.map.ino_gen == 78);
	assert_true(ev.map.prot == 5 && ev.map.flags == 2 && ev.map.cpumode == MODE_USER);
	assert_true(str_eq(ev.map.path, STR("/usr/bin/app")));
	assert_true(str_eq(ev.map.build_id, STR("0123456789abcdef")));
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_true(ev.kind == EV_FORK && ev.pid == 50 && ev.ppid == 42);
	assert_true(ev.tid == 51 && ev.ptid == 43 && ev.time_ns == 2);
	next_sample(3);
	assert_true(ev.nframes == 2 && ev.frames[1].ip == 0x4010);
	assert_true(str_eq(ev.attr->name, STR("cpu-clock")) && ev.attr->has_callchain);
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_true(ev.kind == EV_LOST && ev.weight == 99);
	assert_int_equal(reader_next(reader, &ev), 0);
	assert_int_equal(diag.damaged, 0);
}

static void byte_order_and_mode_make_no_difference(void **state)
{
	for (unsigned i = 0; i < 4; i++) {
		enter(state);
		g.big = i & 1;
		g.pipe = i & 2;
		g.path = "/usr/bin/app";
		g.build_id = "0123456789abcdef\0\0\0\0"; /* of 16 bytes, padded */
		g.arch = "x86_64";
		begin();
		if (g.pipe) {
			gen_open(&g, 67, 2);
			gen_u32(&g, 42);
			gen_bytes(&g, g.build_id, 20);
			gen_zeros(&g, 4);
			gen_text(&g, g.path);
			gen_close(&g);
		}
		put_one_of_each();
		assert_non_null(over(gen_finish(&g)));
		check_one_of_each();
		reader_rewind(reader);
		check_one_of_each();
		leave(state);
	}
	enter(state);
}

static void events_may_differ_in_layout(void **state)
{
	const struct gen_event events[] = {
		{ .name = "a",
		  .type = 1,
		  .sample_type = 0x10007,
		  .flags = ID_ALL,
		  .id = 1 },
		{ .name = "b",
		  .type = 2,
		  .sample_type = 0x10587,
		  .flags = ID_ALL,
		  .id = 2 },
	};

	(void)state;
	gen_start(&g, events, 2);
	gen_open(&g, 9, 2); /* of b: CPU, PERIOD, RAW as well */
	gen_u64(&g, 2);
	gen_u64(&g, 0x20);
	gen_u64(&g, 0);
	gen_u64(&g, 10);
	gen_u32(&g, 3);
	gen_u32(&g, 0);
	gen_u64(&g, 5);
	gen_u32(&g, 4);
	gen_bytes(&g, "load", 4);
	gen_close(&g);
	gen_open(&g, 9, 1); /* of a */
	gen_u64(&g, 1);
	gen_u64(&g, 0x10);
	gen_u64(&g, 0);
	gen_u64(&g, 11);
	gen_close(&g);
	gen_open(&g, 9, 1); /* of an event that is not described */
	gen_u64(&g, 3);
	gen_zeros(&g, 24);
	gen_close(&g);
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(reader_next(reader, &ev), -1);
	next_sample(10);
	assert_true(str_eq(ev.attr->name, STR("b")) && ev.cpu == 3 && ev.weight == 5);
	assert_true(str_eq(ev.payload, STR("load")));
	next_sample(11);
	assert_true(str_eq(ev.attr->name, STR("a")) && !ev.attr->has_callchain);
	assert_true(ev.nframes == 1 && ev.frames[0].ip == 0x10);
	assert_true(ev.frames[0].cpumode == MODE_KERNEL && !ev.payload.n);
	assert_int_equal(diag.damaged, 1);
}

static void attr_may_have_any_size_from_64(void **state)
{
	const uint32_t sizes[] = { 64, 72, 96, 136, 256 };

	for (size_t i = 0; i < 5; i++) {
		struct gen_event e = clock_event;

		enter(state);
		e.size = sizes[i];
		gen_start(&g, &e, 1);
		put_time(9);
		assert_non_null(over(gen_finish(&g)));
		next_sample(9);
		assert_true(str_eq(ev.attr->name, STR("cpu-clock")));
		leave(state);
	}
	enter(state);
}

static void put_kernel_map(const char *path)
{
	gen_open(&g, 1, 1);
	gen_u32(&g, 0xffffffff);
	gen_u32(&g, 0);
	gen_u64(&g, 0xffffffff81000000);
	gen_u64(&g, 0x1000);
	gen_u64(&g, 0);
	gen_text(&g, path);
	gen_trailer(&g, &clock_event, 0, 0, 0);
	gen_close(&g);
}

static void kernel_maps_have_the_names_perf_prints(void **state)
{
	const char *const names[][2] = {
		{ "[kernel.kallsyms]_text", "[kernel.kallsyms]" },
		{ "[guest.kernel.kallsyms.12]_stext", "[guest.kernel.kallsyms.12]" },
		{ "/lib/modules/6.1.0/kernel/net/nf-nat.ko", "[nf_nat]" },
		{ "/lib/modules/6.1.0/kernel/net/nft.ko.xz", "[nft]" },
		{ "/lib/modules/6.1.0/kernel/net/nf-z.ko.zst", "nf_z.ko.zst" },
		{ "[ext4]", "[ext4]" },
	};

	(void)state;
	begin();
	for (size_t i = 0; i < 6; i++)
		put_kernel_map(names[i][0]);
	assert_non_null(over(gen_finish(&g)));
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(reader_next(reader, &ev), 1);
		assert_true(str_eq(ev.map.path, str_of(names[i][1])));
		assert_true(ev.pid == -1 && ev.map.cpumode == MODE_KERNEL &&
		            ev.map.prot == 4);
	}
}

/* Where the header has the build-id of a module, perf prints its path. */
static void modules_with_a_build_id_are_printed_by_path(void **state)
{
	const char *path = "/lib/modules/6.1.0/kernel/net/nf-nat.ko";

	(void)state;
	g.path = path;
	g.build_id = "0123456789abcdefghij";
	begin();
	put_kernel_map(path);
	put_kernel_map("/lib/modules/6.1.0/kernel/net/nft.ko");
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_true(str_eq(ev.map.path, STR("[nf_nat]")));
	assert_true(str_eq(ev.map.printed, str_of(path)));
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_true(!ev.map.printed.n);
}

static void map_may_bring_its_build_id(void **state)
{
	(void)state;
	begin();
	gen_open(&g, 10, 2 | 1 << 14);
	gen_u32(&g, 1);
	gen_u32(&g, 1);
	gen_zeros(&g, 24);
	gen_bytes(&g, "\x08\0\0\0abcdefgh\0\0\0\0\0\0\0\0\0\0\0\0", 24);
	gen_u32(&g, 5);
	gen_u32(&g, 2);
	gen_text(&g, "/x");
	gen_trailer(&g, &clock_event, 1, 1, 5);
	gen_close(&g);
	assert_non_null(over(gen_finish(&g)));
	assert_int_equal(reader_next(reader, &ev), 1);
	assert_true(str_eq(ev.map.build_id, STR("abcdefgh")) && !ev.map.maj &&
	            !ev.map.ino);
}

/* Linux sets the bit in the records of one recording because another one wants build-ids. */
static void bit_of_another_recording_leaves_the_inode(void **state)
{
	static const char ids[][25] = {
		"\xfe\0\0\0\0\0\0\0\x2a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
		"\x08\0\0\0\1\0\0\0\x2a\0\0\0\0\0\0\0\7\0\0\0\0\0\0\0",
		"\0\0\0\0\x19\0\0\0\x2a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		reader_close(reader);
		begin();
		gen_open(&g, 10, 2 | 1 << 14);
		gen_u32(&g, 1);
		gen_u32(&g, 1);
		gen_zeros(&g, 24);
		gen_bytes(&g, ids[i], 24);
		gen_u32(&g, 5);
		gen_u32(&g, 2);
		gen_text(&g, "/x");
		gen_trailer(&g, &clock_event, 1, 1, 5);
		gen_close(&g);
		assert_non_null(over(gen_finish(&g)));
		assert_int_equal(reader_next(reader, &ev), 1);
		assert_int_equal(ev.map.build_id.n, 0);
		assert_int_equal(ev.map.ino, 42);
		assert_int_equal(ev.map.prot, 5);
	}
}

static void unwindable_sample_has_the_users_ip(void **state)
{
	const struct gen_event e = { .name = "x",
		                     .type = 1,
		                     .sample_type = PLAIN | 0x3000,
		                     .flags = ID_ALL,
		                     .id = 7,
		                     .regs_user = 0xff0fff };

	(void)state;
	gen_start(&g, &e, 1);
	for (uint64_t n = 1; n <= 3; n += 2) {
		gen_open(&g, 9, 1);
		gen_u64(&g, 0xff10);
		gen_u64(&g, 0);
		gen_u64(&g, n);
		gen_u64(&g, 1);
		gen_u64(&g, n + 1);
		gen_u64(&g, (uint64_t)-128);
		gen_u64(&g, 0xff10);
		if (n == 3) {
			gen_u64(&g, (uint64_t)-512);
			gen_u64(&g, 0x77);
		}
		gen_u64(&g, 2);
		for (uint64_t i = 0; i < 20; i++)
			gen_u64(&g, 0x100 + i);
		gen_u64(&g, 8);
		gen_zeros(&g, 8);
		gen_u64(&g, 8);
		gen_close(&g);
	}
	assert_non_null(over(gen_finish(&g)));
	next_sample(1);
	assert_true(ev.nframes == 2 && ev.frames[1].ip == 0x108 && !ev.frames[1].caller);
	assert_true(ev.frames[1].cpumode == MODE_USER);
	next_sample(3);
	assert_true(ev.nframes == 2 && ev.frames[1].ip == 0x77);
}

static void unnamed_events_are_named_by_type(void **state)
{
	enum { NO_KERNEL = 1 << 5, NO_HV = 1 << 6, NO_GUEST = 1 << 20 };
	const struct {
		struct gen_event e;
		const char *name;
	} table[] = {
		{ { .type = 0, .flags = NO_GUEST }, "cycles" },
		{ { .type = 0, .config = 99 }, "unknown-hardware:HG" },
		{ { .type = 1, .flags = NO_KERNEL | NO_HV }, "cpu-clock:u" },
		{ { .type = 1, .flags = 3 << 15 | NO_GUEST }, "cpu-clock:pppH" },
		{ { .type = 1, .config = 1, .flags = 3 << 15 }, "task-clock:ppp" },
		{ { .type = 2, .config = 5 }, "unknown tracepoint" },
		{ { .type = 3, .config = 0x10000, .flags = NO_GUEST },
		  "L1-dcache-load-misses" },
		{ { .type = 3, .config = 0x102, .flags = NO_GUEST }, "LLC-stores" },
		{ { .type = 4, .config = 0x1a8, .flags = NO_GUEST }, "raw 0x1a8" },
		{ { .type = 9, .config = 1 }, "unknown attr type: 9" },
	};
	const struct attr *const *attrs;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct gen_event e = table[i].e;

		enter(state);
		e.sample_type = PLAIN;
		gen_start(&g, &e, 1);
		assert_non_null(over(gen_finish(&g)));
		assert_int_equal(reader_attrs(reader, &attrs), 1);
		assert_string_equal(arena_str(&run, attrs[0]->name).p, table[i].name);
		leave(state);
	}
	enter(state);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(samples_wait_for_the_round_after_theirs),
		TEST(equal_times_keep_their_places),
		TEST(record_without_time_acts_at_its_place),
		TEST(markers_say_whose_an_address_is),
		TEST(byte_order_and_mode_make_no_difference),
		TEST(events_may_differ_in_layout),
		TEST(attr_may_have_any_size_from_64),
		TEST(kernel_maps_have_the_names_perf_prints),
		TEST(modules_with_a_build_id_are_printed_by_path),
		TEST(map_may_bring_its_build_id),
		TEST(bit_of_another_recording_leaves_the_inode),
		TEST(unwindable_sample_has_the_users_ip),
		TEST(unnamed_events_are_named_by_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
