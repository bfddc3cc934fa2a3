/* Which jitdump the files of perf inject -j were made from. */
#include "bind/native/jitted_so.h"

#include <elf.h>

#include "bind/binder.h"
#include "bind/native/native.h"
#include "jitgen.h"
#include "sessionmade.h"

enum { PIECE = 64, PIECES = 12, FIRST = 3 };

static const uint64_t start = 0x7f0000000000;

static struct jitgen g;

static int enter(void **state)
{
	(void)state;
	session_made();
	memset(&g, 0, sizeof(g));
	return 0;
}

static int leave(void **state)
{
	(void)state;
	session_over();
	return 0;
}

static const struct mapping *file(uint64_t number)
{
	return process_assume(session.ps,
	                      name_of(arena_fmt(&session.run, "/d/jitted-7-%llu.so",
	                                        (unsigned long long)number)
	                                      .p));
}

static uint64_t at(uint64_t number)
{
	return start + number * PIECE;
}

/* Pieces of the numbers from FIRST on, with a call that ends at byte 16 of each. */
static void add_dump(const char *name, int pid)
{
	jit_header(&g, pid, 0, 0);
	for (uint64_t i = FIRST; i < FIRST + PIECES; i++) {
		jit_load(&g, pid, i, at(i), PIECE, i,
		         arena_fmt(&session.run, "f%llu", (unsigned long long)i).p);
		g.bytes[g.n - PIECE + 16 - 5] = (char)0xe8;
	}
	assert_int_equal(add_file(name, jit_bytes(&g))->kind, ITEM_JITDUMP);
}

static void note(uint64_t number, uint64_t ip, bool caller)
{
	bind_note(session.binder, file(number), PID, ip, caller, true);
}

static bool is_named(uint64_t number, uint64_t ip, bool caller, uint64_t off)
{
	struct bind_query q = {
		.m = file(number), .pid = PID, .ip = ip, .caller = caller
	};
	struct bound_name name;
	struct str want = arena_fmt(&session.run, "f%llu", (unsigned long long)number);

	if (!bind_find(session.binder, &q, &name))
		return false;
	assert_true(str_eq(name.func, want));
	assert_int_equal(name.off, off);
	assert_int_equal(name.how, VERIFIED_COVERS);
	return true;
}

static void decide(void)
{
	bind_decide(session.binder, session.ps, false);
}

/* Run-time addresses, of which the last `bad` lie behind their piece. */
static void run_time(uint64_t n, uint64_t bad)
{
	for (uint64_t i = 0; i < n; i++)
		note(FIRST, at(FIRST) + (i < n - bad ? i : PIECE + i), false);
}

static void nine_in_ten_lie_in_their_piece(void **state)
{
	(void)state;
	add_dump("jit-7.dump", PID);
	run_time(10, 1);
	decide();
	assert_true(is_named(FIRST, at(FIRST), false, 0));
	assert_true(is_named(FIRST, at(FIRST) + PIECE - 1, false, PIECE - 1));
	assert_true(is_named(FIRST, at(FIRST) + PIECE, true, PIECE));
	assert_false(is_named(FIRST, at(FIRST) + PIECE, false, 0));
	assert_false(is_named(FIRST, at(FIRST) - 1, false, 0));
}

static void fewer_do_not_suffice(void **state)
{
	(void)state;
	add_dump("jit-7.dump", PID);
	run_time(19, 2);
	decide();
	assert_false(is_named(FIRST, at(FIRST), false, 0));
}

static void pid_is_in_the_header_or_the_name(void **state)
{
	(void)state;
	add_dump("renamed.dump", PID);
	run_time(10, 0);
	decide();
	assert_true(is_named(FIRST, at(FIRST), false, 0));
}

static void dump_of_another_process_is_not_asked(void **state)
{
	(void)state;
	add_dump("jit-8.dump", 8);
	run_time(10, 0);
	decide();
	assert_false(is_named(FIRST, at(FIRST), false, 0));
}

static void numbers_the_dump_does_not_have_are_no_evidence(void **state)
{
	(void)state;
	add_dump("jit-7.dump", PID);
	run_time(9, 0);
	for (uint64_t i = 0; i < 50; i++)
		note(FIRST + PIECES, at(FIRST) + i, false);
	decide();
	assert_true(is_named(FIRST, at(FIRST), false, 0));
	assert_false(is_named(FIRST + PIECES, at(FIRST), false, 0));
}

/* n offsets behind calls, one of each file, of which the last `bad` follow none. */
static void offsets(uint64_t n, uint64_t bad, uint64_t headers)
{
	add_dump("jit-7.dump", PID);
	for (uint64_t i = 0; i < n; i++)
		note(FIRST + i, headers + 16 + (i < n - bad ? 0 : 3), true);
	decide();
}

static void code_stands_behind_two_headers(void **state)
{
	(void)state;
	offsets(8, 0, 0x80);
	assert_true(is_named(FIRST, 0x80, false, 0));
	assert_true(is_named(FIRST, 0x80 + PIECE, true, PIECE));
	assert_false(is_named(FIRST, 0x80 + PIECE, false, 0));
	assert_false(is_named(FIRST, 0x7f, false, 0));
}

static void or_behind_one(void **state)
{
	(void)state;
	offsets(8, 0, 0x40);
	assert_true(is_named(FIRST + 1, 0x40 + 5, false, 5));
}

static void perf_prints_the_last_byte_of_a_call_too(void **state)
{
	(void)state;
	offsets(8, 0, 0x7f);
	assert_true(is_named(FIRST, 0x80 + 5, false, 5));
}

static void seven_calls_are_too_few(void **state)
{
	(void)state;
	offsets(7, 0, 0x80);
	assert_false(is_named(FIRST, 0x80, false, 0));
}

static void one_in_ten_may_follow_no_call(void **state)
{
	(void)state;
	offsets(10, 1, 0x80);
	assert_true(is_named(FIRST, 0x80, false, 0));
}

static void two_in_twelve_may_not(void **state)
{
	(void)state;
	offsets(12, 2, 0x80);
	assert_false(is_named(FIRST, 0x80, false, 0));
}

static void nine_in_ten_offsets_lie_in_the_code(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 2; i++)
		note(FIRST, 0x80 + PIECE + 1 + i, false);
	offsets(12, 0, 0x80);
	assert_false(is_named(FIRST, 0x80, false, 0));
}

/* Written again, a file holds the later piece; its run-time addresses tell both apart. */
static void last_piece_of_a_number_is_in_the_file(void **state)
{
	struct bind_query q = { .m = file(FIRST), .pid = PID, .ip = 0x80 + PIECE };
	struct bound_name name;

	(void)state;
	jit_header(&g, PID, 0, 0);
	for (uint64_t i = FIRST; i < FIRST + 8; i++) {
		jit_load(&g, PID, i, at(i), PIECE, i, "early");
		g.bytes[g.n - PIECE + 16 - 5] = (char)0xe8;
		note(i, 0x80 + 16, true);
	}
	jit_load(&g, PID, 100, at(50), 2 * PIECE, FIRST, "later");
	g.bytes[g.n - 2 * PIECE + 16 - 5] = (char)0xe8;
	add_file("jit-7.dump", jit_bytes(&g));
	decide();
	assert_true(bind_find(session.binder, &q, &name));
	assert_true(str_eq(name.func, STR("later")));
	assert_int_equal(name.off, PIECE);
	q.ip = at(FIRST) + 2;
	assert_true(bind_find(session.binder, &q, &name));
	assert_true(str_eq(name.func, STR("early")));
	assert_int_equal(name.off, 2);
}

static void only_such_names_are_of_files_of_a_dump(void **state)
{
	static const char *const names[] = {
		"/d/jitted-7-3.so.1",
		"/d/jitted-7.so",
		"/d/jit-7-3.so",
		"/d/jitted-x-3.so",
		"/d/jitted-7-x.so",
		"/d/jitted-2147483655-3.so",
		"/d/jitted-4294967303-3.so",
	};

	(void)state;
	add_dump("jit-7.dump", PID);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct mapping *m = process_assume(session.ps, name_of(names[i]));

		for (uint64_t k = 0; k < 10; k++)
			bind_note(session.binder, m, PID, at(FIRST) + k, false, true);
	}
	decide();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct mapping *m = process_assume(session.ps, name_of(names[i]));
		struct bound_name name;

		assert_false(jitted_so_find(session.binder, m, at(FIRST), false, &name));
	}
}

static void said(const char *text)
{
	session_hear();
	decide();
	if (!strstr(session_said(), text))
		fail_msg("not said: %s", text);
}

static void what_a_dump_names_is_said(void **state)
{
	(void)state;
	add_dump("jit-7.dump", PID);
	run_time(10, 1);
	said("/d/jitted-7-*.so: jit-7.dump names 9 of 10 distinct addresses\n");
}

static void offsets_that_a_dump_names_are_said(void **state)
{
	(void)state;
	add_dump("jit-7.dump", PID);
	note(FIRST, at(FIRST), false);
	for (uint64_t i = 0; i < 9; i++)
		note(FIRST + i, 0x80 + 16, true);
	note(FIRST, 0x80 + PIECE + 9, false);
	said("/d/jitted-7-*.so: jit-7.dump names 10 of 11 distinct addresses\n");
}

static void dump_that_is_not_used_is_said(void **state)
{
	(void)state;
	add_dump("jit-7.dump", PID);
	run_time(19, 2);
	said("jit-7.dump: not used for /d/jitted-7-*.so: their load addresses were not "
	     "recorded, and too few return addresses follow calls in it\n");
}

/* A mapping that was recorded says itself where its code lies. */
static void only_files_without_mapping_are_looked_up(void **state)
{
	const struct mapping *m;
	struct bound_name name;

	(void)state;
	add_dump("jit-7.dump", PID);
	run_time(10, 0);
	map_file(start, 0x1000, 0, "/d/jitted-7-4.so");
	m = process_find(session.ps, PID, start, MODE_USER);
	bind_note(session.binder, m, PID, at(FIRST + 1), false, true);
	decide();
	assert_false(jitted_so_find(session.binder, m, at(FIRST + 1), false, &name));
	assert_true(is_named(FIRST, at(FIRST), false, 0));
}

/* Pieces with one number were written one after the other. */
static void last_256_pieces_of_a_number_are_tried(void **state)
{
	enum { ALL = 257 };

	(void)state;
	jit_header(&g, PID, 0, 0);
	for (uint64_t i = 0; i < ALL; i++)
		jit_load(&g, PID, i, at(i), 8, FIRST, "f3");
	add_file("jit-7.dump", jit_bytes(&g));
	for (uint64_t i = 0; i < 8; i++)
		note(FIRST, at(100) + i, false);
	decide();
	assert_false(is_named(FIRST, at(0), false, 0));
	assert_true(is_named(FIRST, at(1), false, 0));
	assert_true(is_named(FIRST, at(ALL - 1), false, 0));
}

static bool is_found_behind(size_t dumps)
{
	static struct jitgen other;

	memset(&g, 0, sizeof(g));
	memset(&other, 0, sizeof(other));
	session_over();
	session_made();
	jit_header(&other, PID, 0, 0);
	jit_load(&other, PID, 1, at(1), PIECE, 1, "f1");
	add_files(dumps, "jit-7.dump", jit_bytes(&other));
	add_dump("jit-7.dump", PID);
	run_time(10, 0);
	decide();
	return is_named(FIRST, at(FIRST), false, 0);
}

static void dumps_of_one_pid_are_tried_256_times(void **state)
{
	(void)state;
	assert_true(is_found_behind(255));
	assert_false(is_found_behind(256));
}

/* The files themselves, of one function each, show together that they are what ran. */
static bool files_agree(size_t n)
{
	static unsigned char code[0x1000];
	static struct elf_load load = { .file_size = sizeof(code),
		                        .size = sizeof(code),
		                        .executable = true };
	static const struct elf elf = { .bytes = { (const char *)code, sizeof(code) },
		                        .load = &load,
		                        .nloads = 1,
		                        .machine = EM_X86_64 };
	uint64_t shift;

	code[0x80 + 16 - 5] = 0xe8;
	session_over();
	session_made();
	for (uint64_t i = 0; i < n; i++) {
		struct item *it;

		it = add_file(
		        arena_fmt(&session.run, "d/jitted-7-%d.so", (int)(FIRST + i)).p,
		        STR("\177ELF"));
		it->kind = ITEM_ELF;
		it->opened = true;
		it->elf = arena_new(&session.run, struct elf, 1);
		*it->elf = elf;
		note(FIRST + i, 0x80 + 16, true);
	}
	decide();
	return native_open(session.binder, file(FIRST), &shift) != NULL;
}

static void files_show_together_what_ran(void **state)
{
	(void)state;
	assert_true(files_agree(8));
	assert_false(files_agree(7));
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(nine_in_ten_lie_in_their_piece),
		test(fewer_do_not_suffice),
		test(pid_is_in_the_header_or_the_name),
		test(dump_of_another_process_is_not_asked),
		test(numbers_the_dump_does_not_have_are_no_evidence),
		test(code_stands_behind_two_headers),
		test(or_behind_one),
		test(perf_prints_the_last_byte_of_a_call_too),
		test(seven_calls_are_too_few),
		test(one_in_ten_may_follow_no_call),
		test(two_in_twelve_may_not),
		test(nine_in_ten_offsets_lie_in_the_code),
		test(last_piece_of_a_number_is_in_the_file),
		test(only_such_names_are_of_files_of_a_dump),
		test(what_a_dump_names_is_said),
		test(offsets_that_a_dump_names_are_said),
		test(dump_that_is_not_used_is_said),
		test(only_files_without_mapping_are_looked_up),
		test(last_256_pieces_of_a_number_are_tried),
		test(dumps_of_one_pid_are_tried_256_times),
		test(files_show_together_what_ran),
	};

	return cmocka_run_group_tests_name("jitted_so", tests, NULL, NULL);
}
