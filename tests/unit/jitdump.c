/* Records, time, lines and damage of a jitdump. */
#include "image/jit/jitdump.h"

#include <elf.h>
#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "image/cfi/cfi.h"
#include "jitgen.h"

enum { PID = 7, CODE = 0x10000 };

static struct arena run;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static struct jitdump reads(const struct jitgen *g)
{
	struct jitdump d;

	assert_true(jitdump_read(&d, jit_bytes(g), &run));
	return d;
}

/* NULL: nothing. */
static void is_at(const struct jitdump *d, uint64_t ip, uint64_t time_ns,
                  const char *name)
{
	size_t i;
	bool found = jitdump_find(d, ip, time_ns, &i);

	assert_int_equal(found, name != NULL);
	if (found)
		assert_true(str_eq(jitdump_name(d, i, &run), str_of(name)));
}

static void time_chooses(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 10, CODE, 64, 1, "first");
	jit_load(&g, PID, 20, CODE + 16, 16, 2, "second");
	jit_load(&g, PID, 30, CODE, 32, 3, "third");
	d = reads(&g);
	assert_int_equal(d.n, 3);
	assert_int_equal(d.damaged, 0);
	assert_int_equal(d.pid, PID);
	is_at(&d, CODE + 16, 19, "first");
	is_at(&d, CODE + 16, 20, "second");
	is_at(&d, CODE + 15, 20, "first");
	is_at(&d, CODE + 31, UINT64_MAX, "third");
	is_at(&d, CODE + 32, UINT64_MAX, "first");
	is_at(&d, CODE + 64, UINT64_MAX, NULL);
	is_at(&d, CODE - 1, UINT64_MAX, NULL);
	/* A little before it was said, it was there already. */
	is_at(&d, CODE, 9, "first");
}

static void other_byte_order_reads_alike(void **state)
{
	struct jitgen g = { .big = BYTE_ORDER == LITTLE_ENDIAN };
	struct jitdump d;

	(void)state;
	jit_header(&g, PID, 0, 1);
	jit_load(&g, PID, 10, CODE, 64, 1, "a");
	d = reads(&g);
	assert_true(d.swap);
	assert_true(d.cpu_clock);
	assert_int_equal(d.pid, PID);
	is_at(&d, CODE + 63, 10, "a");
}

static void code_moves(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 10, CODE, 64, 41, "a");
	jit_load(&g, PID, 11, CODE + 64, 64, 42, "b");
	jit_move(&g, 20, CODE, 64, 42);
	jit_move(&g, 30, CODE + 4096, 1000, 41);
	jit_move(&g, 40, CODE, 64, 43);
	d = reads(&g);
	is_at(&d, CODE, 15, "a");
	is_at(&d, CODE, 25, "b");
	is_at(&d, CODE + 4096 + 63, 30, "a");
	is_at(&d, CODE + 4096 + 64, 30, NULL);
	assert_int_equal(d.damaged, 1);
}

static void order_is_that_of_time(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 30, CODE, 64, 2, "late");
	jit_load(&g, PID, 10, CODE, 64, 1, "early");
	d = reads(&g);
	is_at(&d, CODE, UINT64_MAX, "late");
	is_at(&d, CODE, 29, "early");
}

static void put_entry(struct jitgen *g, uint64_t ip, uint32_t line, const char *file)
{
	put64(g, ip);
	put32(g, line);
	put32(g, 0);
	put_text(g, file);
}

static void says(const struct jitdump *d, uint64_t ip, const char *file, uint32_t line)
{
	struct str name = { 0 };
	uint32_t number = 0;
	size_t i;

	assert_true(jitdump_find(d, ip, 100, &i));
	assert_int_equal(jitdump_line(d, i, ip, &run, &name, &number), file != NULL);
	if (!file)
		return;
	assert_true(str_eq(name, str_of(file)));
	assert_int_equal(number, line);
}

/* V8 and LLVM write the addresses as they would be in an ELF file behind its header. */
static void lines_of(uint32_t reserved, bool llvm, uint64_t shift)
{
	struct jitgen g = { .llvm = llvm };
	struct jitdump d;

	jit_header(&g, PID, reserved, 0);
	jit_prefix(&g, 2, 32 + 3 * 16 + sizeof("a.js") + sizeof("b.js") + 2, 10);
	put64(&g, CODE);
	put64(&g, 3);
	put_entry(&g, CODE + shift + 4, 7, "a.js");
	put_entry(&g, CODE + shift + 8, 8, "\xff");
	put_entry(&g, CODE + shift + 16, 9, "b.js");
	jit_load(&g, PID, 10, CODE, 64, 1, "f");
	jit_load(&g, PID, 10, CODE + 64, 64, 2, "g");
	d = reads(&g);
	says(&d, CODE, NULL, 0);
	says(&d, CODE + 4, "a.js", 7);
	says(&d, CODE + 15, "a.js", 8);
	says(&d, CODE + 63, "b.js", 9);
	says(&d, CODE + 64, NULL, 0);
}

/* One table of three entries for 64 bytes of code; extra bytes follow them. */
static struct jitdump with_table(struct jitgen *g, uint64_t second, const char *file,
                                 uint32_t extra)
{
	uint32_t name = (uint32_t)strlen(file) + 1;

	jit_header(g, PID, 0, 0);
	jit_prefix(g, 2, 32 + 3 * 16 + name + 2 + 2 + extra, 10);
	put64(g, CODE);
	put64(g, 3);
	put_entry(g, CODE + 4, 7, file);
	put_entry(g, second, 8, "\xff");
	put_entry(g, CODE + 16, 9, "\xff");
	for (uint32_t i = 0; i < extra; i++)
		put_text(g, "");
	jit_load(g, PID, 10, CODE, 64, 1, "f");
	return reads(g);
}

/* A table that holds what no writer meant says nothing, and harms no name. */
static void lines_that_are_damaged_say_nothing(void **state)
{
	struct jitgen sound = { .n = 0 }, beyond = { .n = 0 }, control = { .n = 0 },
	              rest = { .n = 0 }, padded = { .n = 0 };
	struct jitdump d;

	(void)state;
	d = with_table(&sound, CODE + 64, "a.js", 0);
	says(&d, CODE + 16, "a.js", 9);
	d = with_table(&padded, CODE + 8, "a.js", 7);
	says(&d, CODE + 8, "a.js", 8);
	d = with_table(&beyond, CODE + 65, "a.js", 0);
	says(&d, CODE + 16, NULL, 0);
	is_at(&d, CODE + 16, 10, "f");
	d = with_table(&control, CODE + 8, "\x02.js", 0);
	says(&d, CODE + 16, NULL, 0);
	d = with_table(&rest, CODE + 8, "a.js", 8);
	says(&d, CODE + 16, NULL, 0);
}

static void lines_need_not_ascend(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d = with_table(&g, CODE + 32, "a.js", 0);

	(void)state;
	says(&d, CODE + 31, "a.js", 9);
	says(&d, CODE + 32, "a.js", 8);
}

/* The JVM says where code of a line ends: behind a call. */
static void lines_of_java_end(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_prefix(&g, 2, 32 + 2 * 16 + sizeof("A.java") + 2, 10);
	put64(&g, CODE);
	put64(&g, 2);
	put_entry(&g, CODE + 8, 7, "A.java");
	put_entry(&g, CODE + 16, 8, "\xff");
	jit_load(&g, PID, 10, CODE, 64, 1, "La/A;f(I)V");
	d = reads(&g);
	says(&d, CODE, "A.java", 7);
	says(&d, CODE + 7, "A.java", 7);
	says(&d, CODE + 8, "A.java", 7);
	says(&d, CODE + 9, "A.java", 8);
	says(&d, CODE + 16, "A.java", 8);
	says(&d, CODE + 17, NULL, 0);
}

static void lines_are_found(void **state)
{
	(void)state;
	lines_of(0, false, 0);
	lines_of(0, true, 0x40);
	lines_of(0xdeadbeef, false, 0x40);
}

static void a_name_cannot_break_a_line(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 10, CODE, 64, 1, "a\nb\033c");
	d = reads(&g);
	is_at(&d, CODE, 10, "a b c");
}

/* .NET 10: the last record says 64 KiB of code, and half of it is there. */
static void a_record_that_is_cut_off_counts(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 10, CODE, 64, 1, "a");
	jit_load(&g, PID, 11, CODE + 64, 64, 2, "b");
	g.n -= 30;
	d = reads(&g);
	assert_int_equal(d.damaged, 1);
	assert_string_equal(d.damage, "the last record is cut off");
	is_at(&d, CODE, 10, "a");
	is_at(&d, CODE + 127, 11, "b");
}

static void behind_damage_reading_goes_on(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;
	size_t second;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 10, CODE, 64, 1, "a");
	second = g.n;
	jit_load(&g, PID, 11, CODE + 64, 64, 2, "b");
	jit_load(&g, PID, 12, CODE + 128, 64, 3, "c");
	memset(g.bytes + second, 0xff, 16);
	d = reads(&g);
	assert_int_equal(d.damaged, 1);
	assert_int_equal(d.damage_at, second);
	is_at(&d, CODE, 10, "a");
	is_at(&d, CODE + 64, 11, NULL);
	is_at(&d, CODE + 128, 12, "c");
}

/* Code larger than its record, without size, or beyond the last address. */
static void impossible_code_is_left_out(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 10, CODE, 64, 1, "large");
	g.bytes[40 + 41] = 1; /* 256 bytes more */
	jit_load(&g, PID, 10, CODE, 0, 2, "none");
	jit_load(&g, PID, 10, UINT64_MAX - 8, 64, 3, "wraps");
	jit_load(&g, PID, 10, CODE + 64, 1, 4, "byte");
	d = reads(&g);
	assert_int_equal(d.n, 1);
	assert_int_equal(d.damaged, 1);
	is_at(&d, CODE, 10, NULL);
	is_at(&d, CODE + 64, 10, "byte");
	is_at(&d, CODE + 65, 10, NULL);
}

/* perf's JVMTI agent writes no code where the JVM shows none. */
static void code_may_be_left_out(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;
	uint32_t size;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 10, CODE, 64, 1, "stub");
	g.n -= 64;
	size = htole32((uint32_t)g.n - 40);
	memcpy(g.bytes + 44, &size, 4);
	jit_load(&g, PID, 11, CODE + 64, 8, 2, "next");
	d = reads(&g);
	assert_int_equal(d.damaged, 0);
	is_at(&d, CODE + 63, 10, "stub");
	is_at(&d, CODE + 64, 11, "next");
}

/* What the index finds is what a look at all pieces finds. */
static void index_agrees_with_a_search(void **state)
{
	enum { PIECES = 40, ROUNDS = 200, SPAN = 256 };
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct jitgen g = { .n = 0 };
		struct jitdump d;

		jit_header(&g, PID, 0, 0);
		for (int i = 0; i < PIECES; i++) {
			uint64_t r = given_random(&seed);

			jit_load(&g, PID, r % 50, CODE + (r >> 8) % SPAN,
			         1 + (uint32_t)(r >> 16) % (i % 4 ? 8 : 30), (uint64_t)i,
			         "x");
		}
		d = reads(&g);
		for (int k = 0; k < SPAN; k++) {
			uint64_t ip = CODE + (uint64_t)k, t = given_random(&seed) % 60;
			size_t want = SIZE_MAX, got = SIZE_MAX;

			for (size_t i = 0; i < d.n; i++)
				if (ip - d.code[i].start < d.code[i].size &&
				    (d.code[i].time_ns <= t || want == SIZE_MAX))
					want = i;
			jitdump_find(&d, ip, t, &got);
			assert_int_equal(got, want);
		}
	}
}

/* Any number of pieces at one address: neither memory nor time grows with the square. */
static void deep_reuse_is_no_trap(void **state)
{
	enum { PIECES = 300000, ASKED = 20000 };
	struct jitgen one = { .n = 0 };
	struct str bytes;
	struct jitdump d;
	size_t length, i;
	char *p;

	(void)state;
	jit_header(&one, PID, 0, 0);
	length = one.n;
	jit_load(&one, PID, 0, CODE, 1, 0, "x");
	length = one.n - length;
	p = arena_alloc(&run, one.n + PIECES * length, 1);
	bytes = (struct str){ p, 40 + PIECES * length };
	memcpy(p, one.bytes, 40);
	for (size_t k = 0; k < PIECES; k++) {
		char *at = p + 40 + k * length;
		uint64_t start = htole64(CODE - 1 - k % 4096), time = htole64(k);

		memcpy(at, one.bytes + 40, length);
		memcpy(at + 8, &time, 8);
		memcpy(at + 32, &start, 8);
	}
	assert_true(jitdump_read(&d, bytes, &run));
	assert_int_equal(d.n, PIECES);
	for (size_t k = 0; k < ASKED; k++)
		if (jitdump_find(&d, CODE - 1 - k % 4096, k * 16, &i))
			assert_true(d.code[i].time_ns <= k * 16 || k * 16 < 4096);
}

/* Whatever a dump says, what is found lies in its bytes and holds what was asked. */
static void stands(struct str bytes)
{
	struct jitdump d;
	size_t i;

	if (!jitdump_read(&d, bytes, &run))
		return;
	for (size_t k = 0; k < d.n; k++) {
		struct str name = jitdump_name(&d, k, &run), file;
		uint64_t ip = d.code[k].start;
		uint32_t line;

		assert_true(name.n < bytes.n);
		assert_true(jitdump_find(&d, ip, d.code[k].time_ns, &i));
		assert_true(ip - d.code[i].start < d.code[i].size);
		if (jitdump_line(&d, k, ip + 4, &run, &file, &line))
			assert_true(file.p >= bytes.p &&
			            file.p + file.n <= bytes.p + bytes.n);
	}
}

static void any_byte_may_be_wrong(void **state)
{
	FILE *tar = popen("tar -xOf tests/fuzz/corpus/jitdump.tar little", "r");
	char bytes[4096];
	struct str good = { bytes, fread(bytes, 1, sizeof(bytes), tar) };

	assert_int_equal(pclose(tar), 0);
	assert_true(good.n > 0 && good.n < sizeof(bytes));
	(void)state;
	for (size_t i = 0; i < good.n; i++) {
		/* In room of its own, so that a read behind its end is seen. */
		char *cut = malloc(i + 1), *flipped = malloc(good.n);

		memcpy(cut, good.p, i);
		stands((struct str){ cut, i });
		for (int bit = 0; bit < 8; bit++) {
			memcpy(flipped, good.p, good.n);
			flipped[i] ^= (char)(1 << bit);
			stands((struct str){ flipped, good.n });
		}
		free(cut);
		free(flipped);
		arena_release(&run);
	}
}

/* The offset of the CFA from the stack pointer at ip; -1: nothing says it. */
static int64_t cfa_at(const struct jitdump *d, size_t i, uint64_t ip)
{
	uint64_t va = 0;
	struct str eh_frame = jitdump_eh_frame(d, i, &va);
	struct cfi *cfi = cfi_open_frames(eh_frame, va, 0, &run);
	struct cfi_row row;
	int64_t off = -1;

	if (cfi && cfi_find(cfi, ip, false, &row) == CFI_FOUND && row.ra == X86_IP)
		off = row.cfa_off;
	cfi_close(cfi);
	return off;
}

static void unwinding_is_of_the_code_behind_it(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;
	uint64_t va;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 10, CODE, 11, 1, "plain");
	jit_unwinding(&g, 20);
	jit_load(&g, PID, 20, CODE + 16, 11, 2, "described");
	jit_load(&g, PID, 30, CODE + 32, 11, 3, "plain again");
	jit_move(&g, 40, CODE + 64, 11, 2);
	d = reads(&g);
	assert_null(jitdump_eh_frame(&d, 0, &va).p);
	assert_null(jitdump_eh_frame(&d, 2, &va).p);
	assert_int_equal(jitdump_eh_frame(&d, 1, &va).n, 48);
	assert_int_equal(va, CODE + 32);
	assert_int_equal(cfa_at(&d, 1, CODE + 16), 8);
	assert_int_equal(cfa_at(&d, 1, CODE + 20), 16);
	assert_int_equal(cfa_at(&d, 1, CODE + 26), 8);
	assert_int_equal(cfa_at(&d, 1, CODE + 27), -1);
	assert_int_equal(cfa_at(&d, 3, CODE + 68), 16);
}

/* V8 writes a table without entries for code that keeps a frame pointer. */
static void empty_unwinding_is_a_gap(void **state)
{
	struct jitgen g = { .n = 0 };
	struct jitdump d;
	struct cfi_row row;
	struct cfi *cfi;
	struct str none;
	uint64_t va;

	(void)state;
	jit_header(&g, PID, 0, 0);
	jit_prefix(&g, 4, 60, 10);
	put64(&g, 20);
	put64(&g, 20);
	put64(&g, 0);
	g.n += 20;
	jit_load(&g, PID, 10, CODE, 64, 1, "interpreted");
	d = reads(&g);
	none = jitdump_eh_frame(&d, 0, &va);
	assert_non_null(none.p);
	assert_int_equal(none.n, 0);
	assert_null(cfi_open_frames(none, va, 0, &run));
	cfi = cfi_open_frames(none, va, EM_X86_64, &run);
	assert_int_equal(cfi_find(cfi, CODE, false, &row), CFI_GAP);
	cfi_close(cfi);
}

/* Sizes that reach behind the record: bytes of .eh_frame_hdr, and of both. */
static void impossible_unwinding_is_none(void **state)
{
	static const uint64_t wrong[][2] = {
		{ 69, 20 }, { 68, 69 }, { UINT64_MAX, 0 }, { 0, 1 }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct jitgen g = { .n = 0 };
		struct jitdump d;
		size_t end;
		uint64_t va;

		jit_header(&g, PID, 0, 0);
		jit_unwinding(&g, 10);
		end = g.n;
		g.n = 40 + 16;
		put64(&g, wrong[i][0]);
		put64(&g, wrong[i][1]);
		g.n = end;
		jit_load(&g, PID, 10, CODE, 11, 1, "f");
		d = reads(&g);
		assert_int_equal(d.damaged, 0);
		assert_null(jitdump_eh_frame(&d, 0, &va).p);
	}
}

static void name_says_the_pid(void **state)
{
	(void)state;
	assert_int_equal(jitdump_pid(STR("tmp/jit-8292.dump")), 8292);
	assert_int_equal(jitdump_pid(STR("jit-.dump")), -1);
	assert_int_equal(jitdump_pid(STR("jit-1.dump.gz")), -1);
	assert_int_equal(jitdump_pid(STR("jit-99999999999.dump")), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(time_chooses, leave),
		cmocka_unit_test_teardown(other_byte_order_reads_alike, leave),
		cmocka_unit_test_teardown(code_moves, leave),
		cmocka_unit_test_teardown(order_is_that_of_time, leave),
		cmocka_unit_test_teardown(lines_are_found, leave),
		cmocka_unit_test_teardown(lines_that_are_damaged_say_nothing, leave),
		cmocka_unit_test_teardown(lines_of_java_end, leave),
		cmocka_unit_test_teardown(lines_need_not_ascend, leave),
		cmocka_unit_test_teardown(a_name_cannot_break_a_line, leave),
		cmocka_unit_test_teardown(a_record_that_is_cut_off_counts, leave),
		cmocka_unit_test_teardown(behind_damage_reading_goes_on, leave),
		cmocka_unit_test_teardown(impossible_code_is_left_out, leave),
		cmocka_unit_test_teardown(code_may_be_left_out, leave),
		cmocka_unit_test_teardown(index_agrees_with_a_search, leave),
		cmocka_unit_test_teardown(deep_reuse_is_no_trap, leave),
		cmocka_unit_test_teardown(any_byte_may_be_wrong, leave),
		cmocka_unit_test_teardown(unwinding_is_of_the_code_behind_it, leave),
		cmocka_unit_test_teardown(empty_unwinding_is_a_gap, leave),
		cmocka_unit_test_teardown(impossible_unwinding_is_none, leave),
		cmocka_unit_test_teardown(name_says_the_pid, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
