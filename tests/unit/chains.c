/*
 * Samples with registers and a dump of the stack, made by hand for fixtures/unwind/arm64
 * as it would lie in memory: through the reader, the mappings and the unwinder.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "given.h"
#include "symbol/profile.h"

#include "perfgen.h"

enum {
	WORDS = 32,
	SP = 0x7000,
	SAMPLE_TYPE = 1 | 2 | 4 | 32 | 1 << 12 | 1 << 13,
	FP = 29,
	LR = 30,
	STACK = 31,
	PC = 32,
};

static const struct gen_event dwarf = { .name = "cpu-clock",
	                                .type = 1,
	                                .sample_type = SAMPLE_TYPE,
	                                .flags = 1 << 18,
	                                .id = 7,
	                                .regs_user = ((uint64_t)1 << 33) - 1 };

static struct gen g;
static struct arena run;
static struct diag diag;
static struct profile *profile;
static uint64_t reg[33], stack[WORDS];

static int enter(void **state)
{
	(void)state;
	memset(&g, 0, sizeof(g));
	g.arch = "aarch64";
	diag = (struct diag){ .prog = "chains" };
	memset(stack, 0, sizeof(stack));
	for (size_t i = 0; i < 33; i++)
		reg[i] = 0x100 + i;
	gen_start(&g, &dwarf, 1);
	gen_open(&g, 1, 2);
	gen_u32(&g, 42);
	gen_u32(&g, 42);
	gen_u64(&g, 0x201000);
	gen_u64(&g, 0x1000);
	gen_u64(&g, 0);
	gen_text(&g, "/srv/app/arm64");
	gen_trailer(&g, &dwarf, 42, 42, 1);
	gen_close(&g);
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

/* In leaf, called by middle, by large, by _start; signed with the bits of code. */
static void call_three(uint64_t code)
{
	reg[PC] = 0x201350;
	reg[LR] = 0x201374;
	reg[STACK] = SP;
	reg[FP] = SP;
	stack[0] = SP + 32; /* middle: x29, x30 */
	stack[1] = 0x2013c0 | code;
	stack[4] = SP + 80; /* large */
	stack[5] = 0x2013f8 | code;
	stack[10] = 0; /* _start */
	stack[11] = 0;
}

static void put_sample(uint64_t abi, uint64_t valid)
{
	gen_open(&g, 9, 1);
	gen_u64(&g, 0xffffffff81000010);
	gen_u32(&g, 42);
	gen_u32(&g, 42);
	gen_u64(&g, 5);
	gen_u64(&g, 3);
	gen_u64(&g, (uint64_t)-128); /* of the kernel: */
	gen_u64(&g, 0xffffffff81000010);
	gen_u64(&g, 0xffffffff81000020);
	gen_u64(&g, abi);
	for (size_t i = 0; abi && i < 33; i++)
		gen_u64(&g, reg[i]);
	gen_u64(&g, sizeof(stack));
	for (size_t i = 0; i < WORDS; i++)
		gen_u64(&g, stack[i]);
	gen_u64(&g, valid);
	gen_close(&g);
}

static struct sample read_sample(bool compat)
{
	const char *top = getenv("TOP");
	const char *sources[] = {
		arena_fmt(&run, "%s/fixtures/unwind/arm64", top ? top : ".").p
	};
	struct profile_opts opts = { .formats = READ_SAMPLES,
		                     .sources = sources,
		                     .nsources = 1,
		                     .compat = compat ? 6 : 0,
		                     .diag = &diag };
	struct sample s;

	opts.input = given(&run, gen_finish(&g));
	profile = profile_open(&opts);
	assert_non_null(profile);
	profile_learn(profile);
	do
		assert_int_equal(profile_next(profile, &s), 1);
	while (s.ev->kind != EV_SAMPLE);
	return s;
}

static void frames_are(const struct sample *s, const uint64_t *ips, size_t n)
{
	assert_int_equal(s->nframes, n + 2);
	assert_int_equal(s->ev->frames[1].ip, 0xffffffff81000020);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(s->ev->frames[2 + i].ip, ips[i]);
		assert_int_equal(s->ev->frames[2 + i].cpumode, MODE_USER);
		assert_false(s->ev->frames[2 + i].caller);
	}
}

static const uint64_t whole[] = { 0x201350, 0x201373, 0x2013bf, 0x2013f7 };

static void arm64_chain_follows_the_kernels(void **state)
{
	struct sample s;

	(void)state;
	call_three(0);
	put_sample(2, sizeof(stack));
	s = read_sample(false);
	frames_are(&s, whole, 4);
	assert_true(
	        str_eq(profile_str(profile,
	                           profile_frame(profile, s.frames[5].id)->names[0].func),
	               STR("_start")));
}

static void codes_of_48_bits_are_taken_off(void **state)
{
	struct sample s;

	(void)state;
	call_three(0x002d000000000000);
	put_sample(2, sizeof(stack));
	s = read_sample(false);
	frames_are(&s, whole, 4);
}

static void codes_of_39_bits_are_taken_off(void **state)
{
	struct sample s;

	(void)state;
	call_three(0x002d7f8000000000);
	put_sample(2, sizeof(stack));
	s = read_sample(false);
	frames_are(&s, whole, 4);
}

static void dump_that_was_cut_ends_the_chain(void **state)
{
	struct sample s;

	(void)state;
	call_three(0);
	put_sample(2, 5 * 8);
	s = read_sample(false);
	frames_are(&s, whole, 3);
}

static void last_word_of_a_dump_is_a_word(void **state)
{
	struct sample s;

	(void)state;
	call_three(0);
	put_sample(2, 6 * 8);
	s = read_sample(false);
	frames_are(&s, whole, 4);
}

static void perf_leaves_the_last_word_unread(void **state)
{
	struct sample s;

	(void)state;
	call_three(0);
	gen_open(&g, 1, 2); /* where perf begins to look for the file's table */
	gen_u32(&g, 42);
	gen_u32(&g, 42);
	gen_u64(&g, 0x200000);
	gen_u64(&g, 0x1000);
	gen_u64(&g, 0);
	gen_text(&g, "/srv/app/arm64");
	gen_trailer(&g, &dwarf, 42, 42, 2);
	gen_close(&g);
	put_sample(2, 6 * 8);
	s = read_sample(true);
	frames_are(&s, whole, 3);
}

static void registers_of_32_bits_are_not_followed(void **state)
{
	struct sample s;

	(void)state;
	call_three(0);
	put_sample(1, sizeof(stack));
	s = read_sample(false);
	frames_are(&s, whole, 1);
}

static void without_registers_there_is_no_user_frame(void **state)
{
	struct sample s;

	(void)state;
	call_three(0);
	put_sample(0, sizeof(stack));
	s = read_sample(false);
	frames_are(&s, whole, 0);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(arm64_chain_follows_the_kernels),
		test(codes_of_48_bits_are_taken_off),
		test(codes_of_39_bits_are_taken_off),
		test(dump_that_was_cut_ends_the_chain),
		test(last_word_of_a_dump_is_a_word),
		test(perf_leaves_the_last_word_unread),
		test(registers_of_32_bits_are_not_followed),
		test(without_registers_there_is_no_user_frame),
	};

	return cmocka_run_group_tests_name("chains", tests, NULL, NULL);
}
