/*
 * The callers of samples with registers and a piece of the stack: fixtures/unwind, and code of
 * jitdumps.
 */
#include "bind/native/unwind.h"

#include <endian.h>

#include "bind/binder.h"
#include "image/cfi/cfi.h"
#include "jitgen.h"
#include "reader/fields.h"
#include "sessionmade.h"

enum {
	REGS = 33,
	ABI_32 = 1,
	ABI_64 = 2,
	WORDS = 256,
	PERF_SP = 7,
	PERF_BP = 6,
	PERF_DEPTH = 127,
	PAGE = 0x1000,
	PIECE = 16,
};

/* Addresses in fixtures/unwind/stacks; RET_*: behind a call. */
enum {
	EXE = 0x400000,
	WORK = 0x4001a5,
	RET_START = 0x400191,
	RET_BEGIN = 0x4003da,
	RET_DEEP = 0x400200,
	RET_GROWS = 0x4003b5,
	INTERRUPTED = 0x4002a0,
};

static const char exe[] = "/x/stacks";
static const uint64_t stack_at = 0x7ffc00000000, jit_at = 0x7f1200000000;

static struct unwinder *unwinder;
static uint64_t regs[REGS], words[WORDS], dump[WORDS]; /* dump: words as recorded */
static struct fields fields;
static struct attr attr;
static struct frame frames[2];
static struct event ev;

/* A sample at ip, whose stack has n words. */
static void sample_at(uint64_t ip, size_t n)
{
	for (size_t i = 0; i < REGS; i++)
		regs[i] = 0x1000 + i;
	regs[PERF_SP] = stack_at;
	attr = (struct attr){ .has_callchain = true };
	fields = (struct fields){
		.user = { .abi = ABI_64, .mask = 0xff0fff, .value = regs },
		.stack = { (const char *)dump, n * sizeof(*dump) },
	};
	frames[0] = (struct frame){ .ip = ip, .cpumode = MODE_USER };
	ev = (struct event){ .kind = EV_SAMPLE,
		             .pid = PID,
		             .tid = PID,
		             .attr = &attr,
		             .fields = &fields,
		             .frames = frames,
		             .nframes = 1 };
}

static int enter(void **state)
{
	(void)state;
	session_made();
	memset(words, 0, sizeof(words));
	return 0;
}

static int leave(void **state)
{
	(void)state;
	unwind_close(unwinder);
	unwinder = NULL;
	session_over();
	return 0;
}

static void unwind(bool as_perf)
{
	if (!unwinder)
		unwinder = unwind_new(session.binder, &session.run, as_perf ? 6 : 0);
	for (size_t i = 0; i < WORDS; i++)
		dump[i] = htole64(words[i]);
	unwind_sample(unwinder, session.ps, &ev);
}

static void ends(enum unwound_end end, uint64_t n)
{
	assert_int_equal(unwind_counts(unwinder)->ends[end], n);
}

static void chain_is(const uint64_t *ip, size_t n)
{
	assert_int_equal(ev.nframes, n);
	for (size_t i = 0; i < n; i++) {
		if (ev.frames[i].ip != ip[i])
			fail_msg("frame %zu: %llx not %llx", i,
			         (unsigned long long)ev.frames[i].ip,
			         (unsigned long long)ip[i]);
		assert_true(ev.frames[i].unwound);
		assert_false(ev.frames[i].caller);
		assert_int_equal(ev.frames[i].cpumode, MODE_USER);
	}
}

#define CHAIN(...)                                                                       \
	chain_is((const uint64_t[]){ __VA_ARGS__ },                                      \
	         sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* The bytes of fixtures/unwind/stacks, mapped where it was linked. */
static char *with_file(void)
{
	struct str bytes = file_bytes(&session.run, "fixtures/unwind/stacks");

	add_file("stacks", bytes);
	map_file(EXE, PAGE, 0, exe);
	return (char *)(uintptr_t)bytes.p;
}

/* work, called by begin, called by _start, which has no caller. */
static void sample_in_work(size_t n)
{
	sample_at(WORK, n);
	words[0] = RET_BEGIN;
	words[2] = RET_START;
}

static void callers_are_found_down_to_the_first_function(void **state)
{
	(void)state;
	with_file();
	sample_in_work(WORDS);
	unwind(false);
	CHAIN(WORK, RET_BEGIN - 1, RET_START - 1);
	ends(UNWOUND_WHOLE, 1);
	assert_int_equal(unwind_counts(unwinder)->stacks, 1);
	sample_in_work(WORDS);
	unwind(false);
	assert_int_equal(unwind_counts(unwinder)->stacks, 2);
	ends(UNWOUND_WHOLE, 2);
}

static void frames_before_stay(void **state)
{
	(void)state;
	with_file();
	sample_in_work(WORDS);
	frames[1] = frames[0];
	frames[0] = (struct frame){ .ip = 5, .cpumode = MODE_KERNEL };
	ev.nframes = 2;
	unwind(false);
	assert_int_equal(ev.nframes, 4);
	assert_int_equal(ev.frames[0].ip, 5);
	assert_int_equal(ev.frames[0].cpumode, MODE_KERNEL);
	assert_false(ev.frames[0].unwound);
	assert_int_equal(ev.frames[3].ip, RET_START - 1);
}

static void stays_as_it_is(void)
{
	size_t n = ev.nframes;

	unwind(false);
	assert_int_equal(ev.nframes, n);
	assert_ptr_equal(ev.frames, frames);
	assert_int_equal(unwind_counts(unwinder)->stacks, 0);
}

static void without_registers_or_stack_nothing_is_unwound(void **state)
{
	(void)state;
	with_file();
	sample_in_work(WORDS);
	ev.fields = NULL;
	stays_as_it_is();
	sample_in_work(WORDS);
	fields.user.mask = 0;
	stays_as_it_is();
	sample_in_work(WORDS);
	fields.stack.n = 0;
	stays_as_it_is();
	sample_in_work(WORDS);
	attr.has_callchain = false;
	stays_as_it_is();
}

static void only_the_interrupted_instruction_of_user_code_is_unwound(void **state)
{
	(void)state;
	with_file();
	sample_in_work(WORDS);
	ev.nframes = 0;
	stays_as_it_is();
	sample_in_work(WORDS);
	frames[0].cpumode = MODE_KERNEL;
	stays_as_it_is();
	sample_in_work(WORDS);
	frames[0].caller = true;
	stays_as_it_is();
}

static void last_word_of_the_stack_counts(void **state)
{
	(void)state;
	with_file();
	sample_in_work(3);
	unwind(false);
	CHAIN(WORK, RET_BEGIN - 1, RET_START - 1);
	ends(UNWOUND_WHOLE, 1);
}

static void stack_may_end_before(void **state)
{
	(void)state;
	with_file();
	map_file(stack_at, PAGE, 0, "[stack]");
	sample_in_work(3);
	fields.stack.n--;
	unwind(false);
	CHAIN(WORK, RET_BEGIN - 1);
	ends(UNWOUND_DUMP, 1);
}

/* Behind the last word perf reads the memory that is mapped there, and takes it for 0. */
static void perf_does_not_read_the_last_word(void **state)
{
	(void)state;
	with_file();
	map_file(stack_at, PAGE, 0, "[stack]");
	sample_in_work(4);
	unwind(true);
	CHAIN(WORK, RET_BEGIN - 1, RET_START - 1);
	sample_in_work(3);
	unwind(true);
	CHAIN(WORK, RET_BEGIN - 1, UINT64_MAX);
	sample_in_work(3);
	fields.stack.n++;
	unwind(true);
	CHAIN(WORK, RET_BEGIN - 1, RET_START - 1);
}

static void a_return_address_0_is_the_end(void **state)
{
	(void)state;
	with_file();
	sample_in_work(WORDS);
	words[2] = 0;
	unwind(false);
	CHAIN(WORK, RET_BEGIN - 1);
	ends(UNWOUND_WHOLE, 1);
}

/* A stack that was switched to lies in memory that maps the file. */
static void words_are_read_of_mapped_files(void **state)
{
	char *bytes = with_file();

	(void)state;
	memcpy(bytes + (INTERRUPTED - EXE) + 8, &(uint64_t){ htole64(RET_BEGIN) }, 8);
	memcpy(bytes + (INTERRUPTED - EXE) + 24, &(uint64_t){ htole64(RET_START) }, 8);
	sample_at(RET_GROWS, WORDS);
	regs[PERF_BP] = INTERRUPTED;
	unwind(false);
	CHAIN(RET_GROWS, RET_BEGIN - 1, RET_START - 1);
	ends(UNWOUND_WHOLE, 1);
}

static void recursion_ends_after_as_many_frames_as_perf_follows(void **state)
{
	(void)state;
	with_file();
	sample_at(RET_DEEP, WORDS);
	for (size_t i = 0; i < WORDS; i++)
		words[i] = RET_DEEP;
	unwind(false);
	assert_int_equal(ev.nframes, PERF_DEPTH);
	ends(UNWOUND_DEEP, 1);
	assert_int_equal(ev.frames[PERF_DEPTH - 1].ip, RET_DEEP - 1);
}

static void address_without_code_is_lost(void **state)
{
	(void)state;
	with_file();
	sample_in_work(WORDS);
	words[0] = 0x123;
	unwind(false);
	CHAIN(WORK, 0x122);
	ends(UNWOUND_LOST, 1);
	sample_at(0x123, WORDS);
	unwind(false);
	CHAIN(0x123);
	ends(UNWOUND_LOST, 2);
}

static void ends_in(const char *path, enum unwound_end end)
{
	const struct unwound_file *file;

	map_file(2 * EXE, PAGE, 0, path);
	for (uint64_t i = 1; i < 3; i++) {
		sample_at(2 * EXE + i, WORDS);
		unwind(false);
		CHAIN(2 * EXE + i);
		ends(end, i);
		assert_int_equal(unwind_files(unwinder, &file), 1);
		assert_int_equal(file->stacks, i);
		assert_int_equal(file->end, end);
		assert_int_equal(file->module, name_of(path));
	}
}

static void missing_file_is_counted(void **state)
{
	(void)state;
	ends_in("/x/missing.so", UNWOUND_NO_FILE);
}

static void dotnet_images_describe_nothing(void **state)
{
	(void)state;
	ends_in("/x/missing.dll", UNWOUND_NO_RULE);
}

static void file_without_rules_is_counted(void **state)
{
	(void)state;
	add_file("plain.so", file_bytes(&session.run, "fixtures/unwind/plain.so"));
	ends_in("/x/plain.so", UNWOUND_NO_RULE);
}

/* Frames and files that end chains for another reason are not listed. */
static void only_ends_in_files_are_listed(void **state)
{
	const struct unwound_file *file;

	(void)state;
	with_file();
	sample_in_work(WORDS);
	unwind(false);
	sample_at(0x123, WORDS);
	unwind(false);
	assert_int_equal(unwind_files(unwinder, &file), 0);
}

static void registers_of_32_bits_are_not_followed(void **state)
{
	(void)state;
	with_file();
	sample_in_work(WORDS);
	fields.user.abi = ABI_32;
	unwind(false);
	CHAIN(WORK);
	ends(UNWOUND_LOST, 1);
}

/* perf prints no frame at all where it cannot tell the machine. */
static void perf_prints_nothing(void)
{
	unwind(true);
	assert_int_equal(ev.nframes, 0);
}

static void perf_prints_nothing_without_a_stack_of_64_bits(void **state)
{
	(void)state;
	with_file();
	sample_in_work(WORDS);
	fields.user.abi = ABI_32;
	perf_prints_nothing();
	ends(UNWOUND_NO_FILE, 1);
	sample_at(0x123, WORDS);
	fields.user.abi = ABI_32;
	perf_prints_nothing();
	ends(UNWOUND_LOST, 1);
}

static void perf_prints_nothing_without_a_file(void **state)
{
	(void)state;
	map_file(EXE, PAGE, 0, exe);
	sample_in_work(WORDS);
	perf_prints_nothing();
	ends(UNWOUND_NO_FILE, 1);
}

/* Any file of the process tells, also one that was mapped since. */
static void any_file_tells_perf_the_machine(void **state)
{
	(void)state;
	add_file("stacks", file_bytes(&session.run, "fixtures/unwind/stacks"));
	map_file(2 * EXE, PAGE, 0, "/x/missing.so");
	sample_at(2 * EXE + 1, WORDS);
	perf_prints_nothing();
	map_file(EXE, PAGE, 0, exe);
	sample_at(2 * EXE + 1, WORDS);
	unwind(true);
	CHAIN(2 * EXE + 1);
	sample_in_work(WORDS);
	unwind(true);
	CHAIN(WORK, RET_BEGIN - 1, RET_START - 1);
}

/*
 * perf takes the lowest mapping of a path for the begin of its file: with another one below it
 * does not find the table, and reads nothing where nothing is mapped.
 */
static void perf_is_misled_by_a_lower_mapping(void **state)
{
	(void)state;
	with_file();
	map_file(EXE - 16 * PAGE, PAGE, 0, exe);
	sample_in_work(WORDS);
	unwind(false);
	CHAIN(WORK, RET_BEGIN - 1, RET_START - 1);
	unwind_close(unwinder);
	unwinder = NULL;
	sample_in_work(WORDS);
	regs[PERF_BP] = stack_at + 0x40;
	words[8] = 0;
	words[9] = RET_START;
	unwind(true);
	CHAIN(WORK, RET_START - 1);
	ends(UNWOUND_NO_RULE, 1);
	map_file(EXE - 32 * PAGE, 0x10, 0, exe);
	sample_in_work(WORDS);
	regs[PERF_BP] = stack_at + 0x40;
	unwind(true);
	CHAIN(WORK);
	ends(UNWOUND_NO_RULE, 2);
}

/* Code of a dump, whose frames begin at DWARF's register reg + 8. */
static void with_dump(struct jitgen *g, const char *reg, size_t n)
{
	jit_header(g, PID, 0, 0);
	for (size_t i = 0; i < n; i++) {
		size_t at = g->n;

		jit_unwinding(g, i);
		/* The register of DW_CFA_def_cfa in the CIE, behind 40 bytes of the record. */
		g->bytes[at + 40 + 18] = reg[i];
		jit_load(g, PID, i, jit_at + i * PIECE, 11, i, "f");
	}
	assert_int_equal(add_file("jit-7.dump", jit_bytes(g))->kind, ITEM_JITDUMP);
	map_file(jit_at, PAGE, 0, "//anon");
	for (size_t i = 0; i < n; i++)
		bind_note(session.binder,
		          process_find(session.ps, PID, jit_at, MODE_USER), PID,
		          jit_at + i * PIECE, false, true);
	bind_decide(session.binder, session.ps, false);
}

/* The numbers of perf (asm/perf_regs.h) for those of DWARF. */
static void registers_have_other_numbers(void **state)
{
	static const char reg[] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	};
	static const size_t perf[] = { 0,  3,  2,  1,  4,  5,  6,  7,
		                       16, 17, 18, 19, 20, 21, 22, 23 };
	static struct jitgen g;

	(void)state;
	memset(&g, 0, sizeof(g));
	with_dump(&g, reg, sizeof(reg));
	for (size_t i = 0; i < sizeof(reg); i++) {
		sample_at(jit_at + i * PIECE, WORDS);
		for (size_t k = 0; k < REGS; k++) {
			regs[k] = stack_at + k * 8;
			words[k] = 0x8000 + k;
		}
		/* The mask leaves out the segments, 12 to 15. */
		for (size_t k = 12; k < 20; k++)
			regs[k] = regs[k + 4];
		regs[PERF_SP] = stack_at;
		words[0] = 0x8000 + perf[i];
		if (perf[i] != PERF_SP)
			words[0] = 0x8000;
		unwind(false);
		CHAIN(jit_at + i * PIECE, 0x8000 + perf[i] - 1);
	}
}

static void code_of_a_dump_without_rules_is_counted(void **state)
{
	static struct jitgen g;

	(void)state;
	memset(&g, 0, sizeof(g));
	jit_header(&g, PID, 0, 0);
	jit_load(&g, PID, 1, jit_at, 11, 1, "f");
	add_file("jit-7.dump", jit_bytes(&g));
	map_file(jit_at, PAGE, 0, "//anon");
	bind_note(session.binder, process_find(session.ps, PID, jit_at, MODE_USER), PID,
	          jit_at, false, true);
	bind_decide(session.binder, session.ps, false);
	sample_at(jit_at, WORDS);
	unwind(false);
	CHAIN(jit_at);
	ends(UNWOUND_JIT, 1);
	sample_at(jit_at + PIECE, WORDS);
	unwind(false);
	CHAIN(jit_at + PIECE);
	ends(UNWOUND_JIT, 2);
}

/* perf 6.1 does not ask the dump. */
static void perf_has_no_rules_for_code_of_a_dump(void **state)
{
	static struct jitgen g;

	(void)state;
	memset(&g, 0, sizeof(g));
	with_file();
	with_dump(&g, "\7", 1);
	sample_at(jit_at, WORDS);
	words[0] = RET_BEGIN;
	unwind(true);
	CHAIN(jit_at);
	ends(UNWOUND_JIT, 1);
}

/* arm64: leaf returns by the link register, whose free bits are signed. */
static void signed_return(uint64_t base, uint64_t bits, bool found)
{
	uint64_t leaf = base + 0x350, ret = base + 0x3f8;

	add_file("arm64", file_bytes(&session.run, "fixtures/unwind/arm64"));
	map_file(base, PAGE, 0, "/x/arm64");
	sample_at(leaf, 1);
	for (size_t i = 0; i < REGS; i++)
		regs[i] = 0x1000 + i;
	fields.user.mask = ((uint64_t)1 << REGS) - 1;
	regs[ARM_LR] = ret | bits;
	regs[ARM_SP] = stack_at;
	unwind(false);
	if (found)
		CHAIN(leaf, ret - 1);
	else
		CHAIN(leaf, (ret | bits) - 1);
}

static void return_address_is_not_signed(void **state)
{
	(void)state;
	signed_return(0x201000, 0, true);
}

static void return_address_is_signed_above_48_bits(void **state)
{
	(void)state;
	signed_return(0x7f0000201000, (uint64_t)0x2d << 48 | (uint64_t)1 << 48, true);
}

static void return_address_is_signed_above_39_bits(void **state)
{
	(void)state;
	signed_return(0x7f00201000, (uint64_t)0x2d << 48 | (uint64_t)0x81 << 39, true);
}

static void other_bits_are_of_the_address(void **state)
{
	(void)state;
	signed_return(0x201000, (uint64_t)1 << 38, false);
}

/* Registers of vectors follow those that unwinding knows. */
static void registers_behind_the_known_ones_are_left_out(void **state)
{
	(void)state;
	add_file("arm64", file_bytes(&session.run, "fixtures/unwind/arm64"));
	map_file(0x201000, PAGE, 0, "/x/arm64");
	sample_at(0x201350, 1);
	for (size_t i = 0; i < REGS; i++)
		regs[i] = 0;
	fields.user.mask =
	        ((uint64_t)1 << 33 | (uint64_t)1 << ARM_LR | (uint64_t)1 << ARM_SP);
	regs[0] = 0x2013f8;
	regs[1] = stack_at;
	unwind(false);
	CHAIN(0x201350, 0x2013f7);
}

/* On x86-64 all bits of an address count. */
static void return_addresses_of_x86_are_not_signed(void **state)
{
	(void)state;
	with_file();
	sample_in_work(WORDS);
	words[0] = RET_BEGIN | (uint64_t)1 << 48;
	unwind(false);
	CHAIN(WORK, (RET_BEGIN | (uint64_t)1 << 48) - 1);
	ends(UNWOUND_LOST, 1);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(callers_are_found_down_to_the_first_function),
		test(frames_before_stay),
		test(without_registers_or_stack_nothing_is_unwound),
		test(only_the_interrupted_instruction_of_user_code_is_unwound),
		test(last_word_of_the_stack_counts),
		test(stack_may_end_before),
		test(perf_does_not_read_the_last_word),
		test(a_return_address_0_is_the_end),
		test(words_are_read_of_mapped_files),
		test(recursion_ends_after_as_many_frames_as_perf_follows),
		test(address_without_code_is_lost),
		test(missing_file_is_counted),
		test(dotnet_images_describe_nothing),
		test(file_without_rules_is_counted),
		test(only_ends_in_files_are_listed),
		test(registers_of_32_bits_are_not_followed),
		test(perf_prints_nothing_without_a_stack_of_64_bits),
		test(perf_prints_nothing_without_a_file),
		test(any_file_tells_perf_the_machine),
		test(perf_is_misled_by_a_lower_mapping),
		test(registers_have_other_numbers),
		test(code_of_a_dump_without_rules_is_counted),
		test(perf_has_no_rules_for_code_of_a_dump),
		test(return_address_is_not_signed),
		test(return_address_is_signed_above_48_bits),
		test(return_address_is_signed_above_39_bits),
		test(other_bits_are_of_the_address),
		test(registers_behind_the_known_ones_are_left_out),
		test(return_addresses_of_x86_are_not_signed),
	};

	return cmocka_run_group_tests_name("unwound", tests, NULL, NULL);
}
