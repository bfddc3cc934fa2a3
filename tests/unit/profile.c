/* Profiles and sources as files: what is named, and by what. */
#include "symbol/profile.h"
#include "symbol/report/summary.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "framelines.h"
#include "given.h"
#include "perfgen.h"

enum { SOURCES = 4, MIXED = 0x127, ID_ALL = 1 << 18 };

static const struct gen_event clock_event = {
	.name = "cpu-clock", .type = 1, .sample_type = MIXED, .flags = ID_ALL, .id = 7
};

static struct arena run;
static struct diag diag;
static struct profile *profile;
static struct profile_opts opts;
static const char *sources[SOURCES];
static struct pid_opt pids[SOURCES];
static struct sample sample;
static struct gen g;

static int enter(void **state)
{
	(void)state;
	diag = (struct diag){ .prog = "profile", .quiet = true };
	opts = (struct profile_opts){
		.sources = sources, .pids = pids, .addresses = true, .diag = &diag
	};
	opts.formats = READ_SAMPLES;
	return 0;
}

static int leave(void **state)
{
	(void)state;
	profile_close(profile);
	profile = NULL;
	given_none();
	arena_release(&run);
	return 0;
}

static void source(const char *text)
{
	sources[opts.nsources++] = given_text(&run, text);
}

/* A file that has a name, as a map's must. */
static const char *file(const char *name, const char *text)
{
	const char *dir = getenv("TMPDIR");
	struct str path = arena_fmt(&run, "%s/profile-XXXXXX", dir ? dir : "/tmp");
	FILE *f;

	assert_non_null(mkdtemp((char *)path.p));
	path = arena_fmt(&run, "%s/%s", path.p, name);
	f = fopen(path.p, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	return path.p;
}

static void remove_file(const char *path)
{
	struct str dir = { path, str_rfind(str_of(path), '/') };

	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(arena_str(&run, dir).p), 0);
}

static void open_bytes(struct str bytes)
{
	opts.input = given(&run, bytes);
	profile = profile_open(&opts);
	assert_non_null(profile);
	profile_learn(profile);
}

static void open_text(const char *text)
{
	open_bytes(str_of(text));
}

static void next_sample(void)
{
	do
		assert_int_equal(profile_next(profile, &sample), 1);
	while (sample.ev->kind != EV_SAMPLE);
}

static void frame_is(size_t i, const char *text)
{
	struct str lines;

	assert_true(i < sample.nframes);
	lines = frame_lines(&run, profile, sample.frames[i]);
	if (!str_eq(lines, str_of(text)))
		fail_msg("'" PRSTR "'", STRARG(lines));
}

static const char map7[] = "7f0000000000 100 int A()[Tier0]\n7f0000000100 100 B\n";

static const char maps7[] =
        "7f0000000000-7f0000010000 r-xs 00010000 00:01 83 /memfd:doublemapper (deleted)\n"
        "7e0000000000-7e0000010000 r-xp 00000000 fe:00 9 /x.so\n"
        "7d0000000000-7d0000010000 rwxp 00000000 00:00 0 \n";

static void map_names_unknown_frames_of_text(void **state)
{
	(void)state;
	source(map7);
	open_text("app 7/7 1.5: 7 e:\n\t7f0000000010 [unknown] (/tmp/perf-7.map)\n"
	          "\t7f0000000200 [unknown] (/tmp/perf-7.map)\n"
	          "\t7f0000000100 [unknown] (/tmp/perf-7.map)\n"
	          "\t7f0000000010 known+0x1 (/tmp/perf-7.map)\n");
	next_sample();
	frame_is(0, "\t    7f0000000010 int A()[Tier0]+0x10 (/tmp/perf-7.map)\n");
	/* Return addresses: looked up at the byte before. */
	frame_is(1, "\t    7f0000000200 B+0x100 (/tmp/perf-7.map)\n");
	frame_is(2, "\t    7f0000000100 int A()[Tier0]+0x100 (/tmp/perf-7.map)\n");
	assert_false(profile_frame(profile, sample.frames[3].id)->improved);
	assert_int_equal(summary_count(profile).named_here, 3);
	assert_int_equal(summary_count(profile).unknown, 0);
}

static void perf_compat_looks_at_the_address_itself(void **state)
{
	(void)state;
	source(map7);
	opts.compat = 6;
	open_text("app 7/7 1.5: 7 e:\n\t7f0000000010 [unknown] (/tmp/perf-7.map)\n"
	          "\t7f0000000200 [unknown] (/tmp/perf-7.map)\n"
	          "\t7f0000000100 [unknown] (/tmp/perf-7.map)\n");
	next_sample();
	frame_is(1, "\t    7f0000000200 [unknown] (/tmp/perf-7.map)\n");
	frame_is(2, "\t    7f0000000100 B+0x0 (/tmp/perf-7.map)\n");
}

static void saved_maps_turn_offsets_into_addresses(void **state)
{
	const char *maps = file("maps-7.txt", maps7);

	(void)state;
	sources[opts.nsources++] = maps;
	source(map7);
	open_text("app 7/7 1.5: 7 e:\n"
	          "\t10010 [unknown] (/memfd:doublemapper (deleted))\n"
	          "\t20010 [unknown] (/memfd:doublemapper (deleted))\n");
	next_sample();
	frame_is(0, "\t           10010 int A()[Tier0]+0x10 "
	            "(/memfd:doublemapper (deleted))\n");
	frame_is(1, "\t           20010 [unknown] (/memfd:doublemapper (deleted))\n");
	remove_file(maps);
}

/* perf before 5.16 and since 6.4 */
static void absolute_addresses_of_text_need_no_maps(void **state)
{
	(void)state;
	source(map7);
	open_text("app 7/7 1.5: 7 e:\n"
	          "\t7f0000000010 [unknown] (/memfd:doublemapper (deleted))\n"
	          "\t10010 [unknown] (/memfd:doublemapper (deleted))\n");
	next_sample();
	frame_is(0, "\t    7f0000000010 int A()[Tier0]+0x10 "
	            "(/memfd:doublemapper (deleted))\n");
	frame_is(1, "\t           10010 [unknown] (/memfd:doublemapper (deleted))\n");
}

/* By default perf prints the thread alone. */
static void records_say_whose_thread_it_is(void **state)
{
	(void)state;
	source(map7);
	open_text("app 7 1.0: PERF_RECORD_FORK(7:9):(7:7)\n"
	          "app 7 1.0: PERF_RECORD_MMAP2 7/7: [0x7f0000000000(0x10000) @ 0x10000 "
	          "00:01 83 29]: r-xs /memfd:doublemapper (deleted)\n"
	          "app 9 1.5: 7 e:\n"
	          "\t10010 [unknown] (/memfd:doublemapper (deleted))\n");
	next_sample();
	assert_int_equal(sample.pid, 7);
	frame_is(0, "\t           10010 int A()[Tier0]+0x10 "
	            "(/memfd:doublemapper (deleted))\n");
}

/* Forks of processes whose mappings nobody knows do not make it two. */
static void only_process_with_maps_is_meant(void **state)
{
	const char *maps = file("maps-7.txt", maps7);

	(void)state;
	sources[opts.nsources++] = maps;
	source(map7);
	open_text("sh 3 1.0: PERF_RECORD_FORK(4:4):(3:3)\n"
	          "app 9 1.5: 7 e:\n"
	          "\t10010 [unknown] (/memfd:doublemapper (deleted))\n");
	next_sample();
	assert_int_equal(sample.pid, 7);
	remove_file(maps);
}

static void text_that_nothing_improves_keeps_its_frames(void **state)
{
	(void)state;
	source("1000 10 x\n");
	open_text("app 7/7 1.5: 7 e:\n\t7f0000000010 [unknown] (/tmp/perf-7.map)\n"
	          "  file.c:3\n\t 1000 [unknown] (/x.so)\n");
	next_sample();
	frame_is(0, "\t    7f0000000010 [unknown] (/tmp/perf-7.map)\n");
	frame_is(1, "\t            1000 [unknown] (/x.so)\n");
	assert_int_equal(summary_count(profile).named_here, 0);
}

/* -p 7=DIR/perf-7.map is that file, not another of the same last name. */
static void forced_map_is_the_one_that_was_named(void **state)
{
	const char *wrong = file("perf-7.map", "7f0000000000 100 wrong\n");
	const char *right = file("perf-7.map", "7f0000000000 100 right\n");

	(void)state;
	sources[opts.nsources++] = wrong;
	pids[opts.npids++] = (struct pid_opt){ 7, right };
	open_text("app 7/7 1.5: 7 e:\n\t7f0000000010 [unknown] (/tmp/perf-7.map)\n");
	next_sample();
	frame_is(0, "\t    7f0000000010 right+0x10 (/tmp/perf-7.map)\n");
	remove_file(wrong);
	remove_file(right);
}

/* Each adds a file: those located before must still be where they are said to be. */
static void several_maps_may_be_forced(void **state)
{
	const char *many = file("x.map", "1 1 x\n");
	struct str dir = { many, str_rfind(str_of(many), '/') };
	char text[] = "app 0/0 1.5: 7 e:\n\t7f0000000010 [unknown] (//anon)\n";

	(void)state;
	sources[opts.nsources++] = arena_str(&run, dir).p;
	for (int i = 0; i < 4000; i++) {
		struct str name = arena_fmt(&run, "%s/%d", sources[0], i);

		assert_int_equal(symlink("x.map", name.p), 0);
	}
	for (int i = 0; i < SOURCES; i++)
		pids[opts.npids++] = (struct pid_opt){
			i, given_text(&run, arena_fmt(&run, "7f0000000000 99 f%d\n", i).p)
		};
	for (char c = '0'; c < '0' + SOURCES; c++) {
		text[4] = text[6] = c;
		open_text(text);
		next_sample();
		frame_is(0,
		         arena_fmt(&run, "\t    7f0000000010 f%c+0x10 (//anon)\n", c).p);
		profile_close(profile);
		profile = NULL;
	}
	for (int i = 0; i < 4000; i++)
		unlink(arena_fmt(&run, "%s/%d", sources[0], i).p);
	remove_file(many);
}

static void put_map_at(uint64_t time, uint64_t start, uint64_t len, uint64_t off,
                       const char *path)
{
	gen_open(&g, 10, 2);
	gen_u32(&g, 7);
	gen_u32(&g, 7);
	gen_u64(&g, start);
	gen_u64(&g, len);
	gen_u64(&g, off);
	gen_zeros(&g, 24);
	gen_u32(&g, 5);
	gen_u32(&g, 2);
	gen_text(&g, path);
	gen_trailer(&g, &clock_event, 7, 7, time);
	gen_close(&g);
}

static void put_map(uint64_t start, uint64_t len, uint64_t off, const char *path)
{
	put_map_at(500000, start, len, off, path);
}

static struct str made_data(void)
{
	static const uint64_t ips[] = { 0x7f0000000010, 0x7e0000000020, 0x7d0000000030 };

	gen_start(&g, &clock_event, 1);
	put_map(0x7f0000000000, 0x10000, 0x10000, "/memfd:doublemapper (deleted)");
	put_map(0x7e0000000000, 0x10000, 0, "/x.so");
	put_map(0x7d0000000000, 0x10000, 0, "//anon");
	for (uint64_t i = 0; i < 3; i++) {
		gen_open(&g, 9, 2);
		gen_u64(&g, ips[0]);
		gen_u32(&g, 7);
		gen_u32(&g, 9);
		gen_u64(&g, 1000000 + i * 1000);
		gen_u64(&g, 250000);
		gen_u64(&g, 4);
		gen_u64(&g, (uint64_t)-512);
		for (int k = 0; k < 3; k++)
			gen_u64(&g, ips[k]);
		gen_close(&g);
	}
	return gen_finish(&g);
}

static void map_names_code_of_perf_data(void **state)
{
	(void)state;
	source(map7);
	open_bytes(made_data());
	next_sample();
	assert_int_equal(sample.nframes, 3);
	assert_true(str_eq(sample.comm, STR(":9")));
	frame_is(0, "\t           10010 int A()[Tier0]+0x10 "
	            "(/memfd:doublemapper (deleted))\n");
	frame_is(1, "\t              20 [unknown] (/x.so)\n");
	frame_is(2, "\t    7d0000000030 [unknown] (/tmp/perf-7.map)\n");
}

static void addresses_differ_in_every_bit(void **state)
{
	(void)state;
	gen_start(&g, &clock_event, 1);
	gen_open(&g, 9, 2);
	gen_u64(&g, 0x10);
	gen_u32(&g, 7);
	gen_u32(&g, 9);
	gen_u64(&g, 1000000);
	gen_u64(&g, 250000);
	gen_u64(&g, 4);
	gen_u64(&g, (uint64_t)-512);
	gen_u64(&g, 0x10);
	gen_u64(&g, 0x1234);
	gen_u64(&g, 0x8000000000001234);
	gen_close(&g);
	open_bytes(gen_finish(&g));
	next_sample();
	frame_is(1, "\t            1234 [unknown] ([unknown])\n");
	frame_is(2, "\t8000000000001234 [unknown] ([unknown])\n");
}

enum { USER = -512, KERNEL = -128 };

/* A sample of that call chain as it is recorded, up to a 0. */
static void put_chain(uint64_t time, uint32_t pid, const int64_t *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	gen_open(&g, 9, 2);
	gen_u64(&g, 0x1010);
	gen_u32(&g, pid);
	gen_u32(&g, pid);
	gen_u64(&g, time);
	gen_u64(&g, 250000);
	gen_u64(&g, n);
	for (size_t i = 0; i < n; i++)
		gen_u64(&g, (uint64_t)words[i]);
	gen_close(&g);
}

/* The modules of the next sample's callers, and where they are there. */
static void callers_are(const char *module, const uint64_t *at, size_t n)
{
	next_sample();
	assert_int_equal(sample.nframes, n + 1);
	for (size_t i = 0; i < n; i++)
		frame_is(i + 1, arena_fmt(&run, "\t%16llx [unknown] (%s)\n",
		                          (unsigned long long)at[i], module)
		                        .p);
}

static void callers_are_found_again_where_they_were(void **state)
{
	static const int64_t one[] = { USER, 0x1010, 0x1020, 0x1030, 0x1040, 0 },
	                     leaf[] = { USER, 0x1011, 0x1020, 0x1030, 0x1040, 0 },
	                     end[] = { USER, 0x1010, 0x1050, 0x1030, 0x1040, 0 },
	                     less[] = { USER, 0x1010, 0x1030, 0x1040, 0 },
	                     kernel[] = { KERNEL, 0x1010, 0x1020, 0x1030, 0x1040, 0 },
	                     both[] = { KERNEL, 0x1010, USER, 0x1020, 0x1030, 0x1040, 0 };
	static const int64_t *const all[] = { one, leaf, end, less, kernel, both, one };
	static const uint64_t in_file[] = { 0x20, 0x30, 0x40, 0x50 },
	                      other[] = { 0x50, 0x30, 0x40 },
	                      bare[] = { 0x1020, 0x1030, 0x1040 },
	                      bare_end[] = { 0x1050, 0x1030, 0x1040 };
	static const char *const modules[] = { "/a", "/b", "[unknown]" };

	(void)state;
	gen_start(&g, &clock_event, 1);
	put_map_at(1000, 0x1000, 0x1000, 0, "/a");
	put_map_at(3000, 0x1000, 0x1000, 0, "/b");
	for (uint64_t round = 0; round < 3; round++)
		for (uint64_t i = 0; i < 7; i++)
			put_chain(2000 * (round + 1) + i, round == 2 ? 8 : 7, all[i]);
	open_bytes(gen_finish(&g));
	for (int round = 0; round < 3; round++) {
		bool mapped = round < 2;

		callers_are(modules[round], mapped ? in_file : bare, 3);
		callers_are(modules[round], mapped ? in_file : bare, 3);
		callers_are(modules[round], mapped ? other : bare_end, 3);
		callers_are(modules[round], mapped ? in_file + 1 : bare + 1, 2);
		callers_are("[unknown]", bare, 3);
		callers_are(modules[round], mapped ? in_file : bare, 3);
		callers_are(modules[round], mapped ? in_file : bare, 3);
	}
}

static const char same_capture[] = "app 9 0.001000: 250000 cpu-clock:\n"
                                   "\t10010 [unknown] (/memfd:doublemapper (deleted))\n"
                                   "\t20 inner+0x1 (inlined)\n\t20 named+0x20 (/x.so)\n"
                                   "\t7d0000000030 [unknown] (/tmp/perf-7.map)\n";

static void recorded_text_names_what_maps_do_not(void **state)
{
	(void)state;
	source(map7);
	source(same_capture);
	open_bytes(made_data());
	next_sample();
	frame_is(0, "\t           10010 int A()[Tier0]+0x10 "
	            "(/memfd:doublemapper (deleted))\n");
	frame_is(1, "\t              20 inner+0x1 (inlined)\n"
	            "\t              20 named+0x20 (/x.so)\n");
	assert_int_equal(profile_frame(profile, sample.frames[1].id)->n, 2);
}

static void inlined_functions_can_be_left_out(void **state)
{
	(void)state;
	opts.no_inline = true;
	source(same_capture);
	open_bytes(made_data());
	next_sample();
	frame_is(1, "\t              20 named+0x20 (/x.so)\n");
	assert_int_equal(profile_frame(profile, sample.frames[1].id)->n, 1);
}

static void text_of_another_capture_names_nothing(void **state)
{
	(void)state;
	source("app 9 0.001000: 250000 cpu-clock:\n"
	       "\t10011 x (/memfd:doublemapper (deleted))\n\t20 named+0x20 (/x.so)\n");
	open_bytes(made_data());
	next_sample();
	frame_is(1, "\t              20 [unknown] (/x.so)\n");
}

static void perf_data_gives_its_text_mappings_and_pids(void **state)
{
	(void)state;
	source(map7);
	sources[opts.nsources++] = given(&run, made_data());
	open_text(same_capture);
	next_sample();
	assert_int_equal(sample.pid, 7);
	frame_is(0, "\t           10010 int A()[Tier0]+0x10 "
	            "(/memfd:doublemapper (deleted))\n");
}

/* None agrees: whatever was opened on the way is closed again. */
static void perf_data_of_other_captures_are_left_alone(void **state)
{
	(void)state;
	sources[opts.nsources++] = given(&run, made_data());
	sources[opts.nsources++] = given(&run, made_data());
	source(same_capture);
	open_text("app 9 0.001000: 250000 cpu-clock:\n"
	          "\t10011 [unknown] (/memfd:doublemapper (deleted))\n");
	next_sample();
	assert_int_equal(sample.pid, -1);
}

static void damage_in_a_source_is_none_of_the_profile(void **state)
{
	struct str cut = made_data();

	(void)state;
	cut.n -= 500;
	sources[opts.nsources++] = given(&run, cut);
	open_text(same_capture);
	next_sample();
	assert_int_equal(diag.damaged, 0);
}

static void source_that_names_nothing_is_refused(void **state)
{
	struct str says = STR("app 7/7 1.5: 7 e:\n");

	(void)state;
	source("hello\n");
	opts.input = given(&run, says);
	assert_null(profile_open(&opts));
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(map_names_unknown_frames_of_text),
		test(perf_compat_looks_at_the_address_itself),
		test(saved_maps_turn_offsets_into_addresses),
		test(absolute_addresses_of_text_need_no_maps),
		test(records_say_whose_thread_it_is),
		test(only_process_with_maps_is_meant),
		test(text_that_nothing_improves_keeps_its_frames),
		test(forced_map_is_the_one_that_was_named),
		test(several_maps_may_be_forced),
		test(map_names_code_of_perf_data),
		test(addresses_differ_in_every_bit),
		test(callers_are_found_again_where_they_were),
		test(recorded_text_names_what_maps_do_not),
		test(inlined_functions_can_be_left_out),
		test(text_of_another_capture_names_nothing),
		test(perf_data_gives_its_text_mappings_and_pids),
		test(perf_data_of_other_captures_are_left_alone),
		test(damage_in_a_source_is_none_of_the_profile),
		test(source_that_names_nothing_is_refused),
	};

	return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
