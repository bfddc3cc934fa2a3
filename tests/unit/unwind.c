/*
 * Call frame information: fixtures/unwind, whose sources are beside them, and programs
 * and expressions made here byte by byte.
 */
#include "image/cfi/cfi_step.h"

#include <elf.h>
#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "image/cfi/dwarf_expr.h"

enum { STACK = 0x7000, WORDS = 256, GAP = 0x9000 };

static struct arena run;
static struct cfi *cfi; /* of the test that runs */

static int leave(void **state)
{
	(void)state;
	cfi_close(cfi);
	arena_release(&run);
	return 0;
}

static struct cfi *open_files(const char *image, const char *debug)
{
	struct elf *e = arena_new(&run, struct elf, 2);

	assert_true(elf_read(&e[0], file_bytes(&run, image), &run));
	if (debug)
		assert_true(elf_read(&e[1], file_bytes(&run, debug), &run));
	cfi_close(cfi);
	return cfi = cfi_open(&e[0], debug ? &e[1] : NULL, &run);
}

/* Memory: words from STACK up; behind them blank, and from GAP on unmapped. */
static enum cfi_read word(void *ctx, uint64_t addr, uint64_t *out)
{
	const uint64_t *stack = ctx;

	if (addr >= GAP || addr < STACK)
		return CFI_UNMAPPED;
	if (addr >= STACK + WORDS * 8 - 7)
		return CFI_BLANK;
	memcpy(out, (const char *)stack + (addr - STACK), 8);
	return CFI_WORD;
}

static struct cfi_frame frame(unsigned machine, uint64_t ip)
{
	struct cfi_frame f = { .ip = ip, .cfa = STACK, .exact = true };

	for (unsigned i = 0; i < CFI_REGS; i++)
		f.reg[i] = 0x100 + i;
	f.reg[machine == EM_X86_64 ? X86_SP : ARM_SP] = STACK;
	f.known = ((uint64_t)1 << CFI_REGS) - 1;
	return f;
}

static bool knows(const struct cfi_frame *f, unsigned reg, uint64_t value)
{
	return f->known >> reg & 1 && f->reg[reg] == value;
}

static void table_finds_the_row(void **state)
{
	struct cfi *c = open_files("fixtures/unwind/stacks", NULL);
	struct cfi_row row;

	(void)state;
	assert_int_equal(cfi_machine(c), EM_X86_64);
	assert_int_equal(cfi_find(c, 0x400210, true, &row), CFI_FOUND);
	assert_int_equal(row.cfa_reg, X86_SP);
	assert_int_equal(row.cfa_off, 8);
	assert_int_equal(row.nrules, 1);
	assert_int_equal(cfi_find(c, 0x400211, true, &row), CFI_FOUND);
	assert_int_equal(row.cfa_off, 16);
	assert_int_equal(row.nrules, 2);
	assert_int_equal(row.rule[0].reg, 3);
	assert_int_equal(row.rule[0].how, CFI_SAVED);
	assert_int_equal(row.rule[0].n, -16);
	assert_int_equal(row.ra, X86_IP);
	assert_int_equal(cfi_find(c, 0x40022e, true, &row), CFI_FOUND);
	assert_int_equal(row.cfa_off, 8);
}

static void between_functions_is_a_gap(void **state)
{
	struct cfi *c = open_files("fixtures/unwind/stacks", NULL);
	struct cfi_row row;

	(void)state;
	assert_int_equal(cfi_find(c, 0x40023f, true, &row), CFI_GAP);
	assert_int_equal(cfi_find(c, 0x1000, true, &row), CFI_GAP);
	assert_int_equal(cfi_find(c, 0x400400, true, &row), CFI_GAP);
}

/* .debug_frame, as it is or packed. */
static void plain_is_described_by(const char *debug)
{
	struct cfi *c = open_files("fixtures/unwind/plain.so", debug);
	struct cfi_row row;

	assert_int_equal(cfi_find(c, 0x2b0, false, &row), CFI_FOUND);
	assert_int_equal(row.cfa_off, 128);
	assert_int_equal(cfi_find(c, 0x2b3, false, &row), CFI_FOUND);
	assert_int_equal(row.cfa_off, 8);
	assert_int_equal(cfi_find(c, 0x2b4, false, &row), CFI_GAP);
	assert_int_equal(cfi_find(c, 0x28f, false, &row), CFI_GAP);
	assert_int_equal(cfi_find(c, 0x2b0, true, &row), CFI_NONE);
}

static void debug_file_describes_what_the_image_does_not(void **state)
{
	(void)state;
	assert_null(open_files("fixtures/unwind/plain.so", NULL));
	plain_is_described_by("fixtures/unwind/plain.debug");
	plain_is_described_by("fixtures/unwind/packed.debug");
	plain_is_described_by("fixtures/unwind/zpacked.debug");
}

static void debug_file_of_a_prelinked_image_is_moved(void **state)
{
	struct elf image, debug;
	struct cfi_row row;
	struct cfi *c;

	(void)state;
	assert_true(elf_read(&image, file_bytes(&run, "fixtures/unwind/plain.so"), &run));
	assert_true(
	        elf_read(&debug, file_bytes(&run, "fixtures/unwind/plain.debug"), &run));
	image.text += 0x30000000;
	cfi_close(cfi);
	c = cfi = cfi_open(&image, &debug, &run);
	assert_int_equal(cfi_find(c, 0x300002b0, false, &row), CFI_FOUND);
	assert_int_equal(row.cfa_off, 128);
	assert_int_equal(cfi_find(c, 0x2b0, false, &row), CFI_GAP);
}

static void frame_pointer_survives_alloca(void **state)
{
	struct cfi *c = open_files("fixtures/unwind/stacks", NULL);
	struct cfi_frame f = frame(EM_X86_64, 0x4003b5);
	uint64_t stack[WORDS] = { 0 };
	struct cfi_memory m = { word, stack };
	struct cfi_row row;

	(void)state;
	f.reg[X86_BP] = STACK + 0x40;
	stack[8] = 0xb9;
	stack[9] = 0x40021f;
	assert_int_equal(cfi_find(c, f.ip, true, &row), CFI_FOUND);
	assert_int_equal(cfi_step(&row, EM_X86_64, &m, &f), CFI_OK);
	assert_int_equal(f.ip, 0x40021f);
	assert_false(f.exact);
	assert_true(knows(&f, X86_BP, 0xb9));
	assert_true(knows(&f, X86_SP, STACK + 0x50));
	assert_true(knows(&f, 3, 0x103));
}

static void signal_frame_gives_what_was_interrupted(void **state)
{
	struct cfi *c = open_files("fixtures/unwind/stacks", NULL);
	struct cfi_frame f = frame(EM_X86_64, 0x400181);
	uint64_t stack[WORDS] = { 0 };
	struct cfi_memory m = { word, stack };
	struct cfi_row row;

	(void)state;
	stack[168 / 8] = 0x400320;
	stack[160 / 8] = STACK + 0x500;
	stack[128 / 8] = 0x33;
	assert_int_equal(cfi_find(c, f.ip - 1, true, &row), CFI_FOUND);
	assert_true(row.signal);
	assert_int_equal(cfi_step(&row, EM_X86_64, &m, &f), CFI_OK);
	assert_int_equal(f.ip, 0x400320);
	assert_true(f.exact);
	assert_true(knows(&f, X86_SP, STACK + 0x500));
	assert_true(knows(&f, 3, 0x33));
}

static void outermost_frame_is_the_end(void **state)
{
	struct cfi *c = open_files("fixtures/unwind/stacks", NULL);
	struct cfi_frame f = frame(EM_X86_64, 0x400191);
	uint64_t stack[WORDS] = { 0 };
	struct cfi_memory m = { word, stack };
	struct cfi_row row;

	(void)state;
	assert_int_equal(cfi_find(c, f.ip, true, &row), CFI_FOUND);
	assert_int_equal(cfi_step(&row, EM_X86_64, &m, &f), CFI_DONE);
}

static void dump_that_ends_is_told_from_the_end(void **state)
{
	struct cfi *c = open_files("fixtures/unwind/stacks", NULL);
	struct cfi_frame f = frame(EM_X86_64, 0x400250), g = f;
	uint64_t stack[WORDS] = { 0 };
	struct cfi_memory m = { word, stack };
	struct cfi_row row;

	(void)state;
	assert_int_equal(cfi_find(c, f.ip, true, &row), CFI_FOUND);
	assert_int_equal(row.cfa_off, 8016);
	assert_int_equal(cfi_step(&row, EM_X86_64, &m, &f), CFI_CUT);
	g.known &= ~((uint64_t)1 << X86_SP);
	assert_int_equal(cfi_step(&row, EM_X86_64, &m, &g), CFI_WRONG);
}

static void undescribed_code_may_have_a_frame_pointer(void **state)
{
	struct cfi_frame f = frame(EM_X86_64, 0x5000), g = f, h = f;
	uint64_t stack[WORDS] = { [8] = STACK + 0x90, [9] = 0x1234 };
	struct cfi_memory m = { word, stack };

	(void)state;
	f.reg[X86_BP] = g.reg[X86_BP] = STACK + 0x40;
	h.reg[X86_BP] = STACK - 8;
	assert_int_equal(cfi_step_guess(EM_X86_64, &m, false, &f), CFI_OK);
	assert_int_equal(f.ip, 0x1234);
	assert_true(knows(&f, X86_SP, STACK + 0x50));
	assert_false(f.known >> 3 & 1);
	assert_int_equal(cfi_step_guess(EM_X86_64, &m, true, &g), CFI_OK);
	assert_true(knows(&g, X86_SP, STACK + 16));
	assert_int_equal(cfi_step_guess(EM_X86_64, &m, false, &h), CFI_DONE);
}

static void undescribed_stub_has_its_return_address_on_top(void **state)
{
	struct cfi_frame f = frame(EM_X86_64, STACK + 0x100);
	uint64_t stack[WORDS] = { 0x4321, [0x20] = 0xae68001349e225ff,
		                  0xffffc500e9000003 };
	struct cfi_memory m = { word, stack };

	(void)state;
	assert_int_equal(cfi_step_guess(EM_X86_64, &m, false, &f), CFI_OK);
	assert_int_equal(f.ip, 0x4321);
	assert_true(knows(&f, X86_SP, STACK + 8));
	assert_true(knows(&f, 3, 0x103));
}

static void arm64_returns_by_the_link_register(void **state)
{
	struct cfi *c = open_files("fixtures/unwind/arm64", NULL);
	struct cfi_frame f = frame(EM_AARCH64, 0x201350);
	uint64_t stack[WORDS] = { 0 };
	struct cfi_memory m = { word, stack };
	struct cfi_row row;

	(void)state;
	assert_int_equal(cfi_machine(c), EM_AARCH64);
	assert_int_equal(cfi_find(c, f.ip, true, &row), CFI_FOUND);
	assert_int_equal(row.ra, ARM_LR);
	assert_int_equal(cfi_step(&row, EM_AARCH64, &m, &f), CFI_OK);
	assert_int_equal(f.ip, 0x100 + ARM_LR);
	assert_true(knows(&f, ARM_SP, STACK));
}

static void arm64_return_addresses_are_signed(void **state)
{
	struct cfi *c = open_files("fixtures/unwind/arm64", NULL);
	struct cfi_frame f = frame(EM_AARCH64, 0x2013c0);
	uint64_t stack[WORDS] = { 0 };
	struct cfi_memory m = { word, stack };
	struct cfi_row row;

	(void)state;
	assert_int_equal(cfi_find(c, 0x201390, true, &row), CFI_FOUND);
	assert_int_equal(cfi_find(c, f.ip, true, &row), CFI_FOUND);
	f.reg[ARM_FP] = STACK + 0x280;
	stack[0x50] = STACK + 0x300;
	stack[0x51] = 0x002d0000002013f8;
	stack[0x55] = 0x19;
	assert_int_equal(cfi_step(&row, EM_AARCH64, &m, &f), CFI_OK);
	assert_int_equal(f.ip, 0x002d0000002013f8);
	assert_true(knows(&f, ARM_FP, STACK + 0x300));
	assert_true(knows(&f, ARM_SP, STACK + 0x280 + 48));
	assert_true(knows(&f, 19, 0x19));
	assert_true(knows(&f, 21, 0x100 + 21));
}

static void arm64_signal_context_has_all_registers(void **state)
{
	struct cfi_frame f = frame(EM_AARCH64, STACK + 0x700), g;
	uint64_t stack[WORDS] = { 0 };
	struct cfi_memory m = { word, stack };
	const struct cfi_rule rules[] = { { ARM_FP, CFI_SAVED, 0, { 0 } },
		                          { ARM_LR, CFI_SAVED, 8, { 0 } } };
	const struct cfi_row row = { .cfa_reg = ARM_FP,
		                     .rule = rules,
		                     .nrules = 2,
		                     .ra = ARM_LR,
		                     .signal = true };

	(void)state;
	for (unsigned i = 0; i <= ARM_PC; i++)
		stack[(128 + 176 + 8) / 8 + i] = 0x2000 + i;
	f.reg[ARM_FP] = STACK + 0x600;
	stack[0xc1] = 0x4444;
	g = f;
	assert_int_equal(cfi_step(&row, EM_AARCH64, &m, &g), CFI_OK);
	assert_int_equal(g.ip, 0x4444);
	stack[0xe0] = 0xd4000001d2801168;
	assert_int_equal(cfi_step(&row, EM_AARCH64, &m, &f), CFI_OK);
	assert_int_equal(f.ip, 0x2000 + ARM_PC);
	assert_true(f.exact);
	assert_true(knows(&f, ARM_SP, 0x2000 + ARM_SP));
	assert_true(knows(&f, 5, 0x2005));
}

static void arm64_leaf_without_description(void **state)
{
	struct cfi_frame f = frame(EM_AARCH64, 0x5000);
	struct cfi_memory m = { word, NULL };

	(void)state;
	assert_int_equal(cfi_step_guess(EM_AARCH64, &m, false, &f), CFI_OK);
	assert_int_equal(f.ip, 0x100 + ARM_LR);
	assert_int_equal(cfi_step_guess(EM_AARCH64, &m, false, &f), CFI_DONE);
}

/* A file with one function, of 8 KiB from va 100 on, and its program. */
struct described {
	Elf64_Ehdr head;
	Elf64_Shdr section[3];
	char names[24], frames[512];
};

static void put(char **to, struct str bytes)
{
	memcpy(*to, bytes.p, bytes.n);
	*to += bytes.n;
}

/* The CIE says CFA = r7 + 8, r16 at CFA - 8, and addresses in four bytes. */
static struct str describe(struct str program)
{
	struct described *f = arena_new(&run, struct described, 1);
	uint32_t fde = htole32((uint32_t)(13 + program.n));
	char *to = f->frames;

	assert_true(program.n < sizeof(f->frames) - 64);
	f->head = (Elf64_Ehdr){ .e_ident = "\177ELF\2\1\1",
		                .e_type = htole16(ET_REL),
		                .e_machine = htole16(EM_X86_64),
		                .e_version = htole32(EV_CURRENT),
		                .e_shoff = htole64(offsetof(struct described, section)),
		                .e_ehsize = htole16(sizeof(f->head)),
		                .e_shentsize = htole16(sizeof(*f->section)),
		                .e_shnum = htole16(3),
		                .e_shstrndx = htole16(2) };
	memcpy(f->names, "\0.eh_frame\0.shstrtab", 21);
	put(&to,
	    STR("\x18\0\0\0\0\0\0\0\1zR\0\1\x78\x10\1\3\x0c\7\x08\x90\1\0\0\0\0\0\0"));
	put(&to, (struct str){ (char *)&fde, 4 });
	put(&to, STR("\x20\0\0\0\x64\0\0\0\0\x20\0\0\0"));
	put(&to, program);
	f->section[1] =
	        (Elf64_Shdr){ .sh_name = htole32(1),
		              .sh_type = htole32(SHT_PROGBITS),
		              .sh_offset = htole64(offsetof(struct described, frames)),
		              .sh_size = htole64((size_t)(to - f->frames)) };
	f->section[2] =
	        (Elf64_Shdr){ .sh_name = htole32(11),
		              .sh_type = htole32(SHT_STRTAB),
		              .sh_offset = htole64(offsetof(struct described, names)),
		              .sh_size = htole64(sizeof(f->names)) };
	return (struct str){ (char *)f, sizeof(*f) };
}

/* The row at va 100 + n. */
static bool program(struct str own, uint64_t n, struct cfi_row *row)
{
	struct elf *e = arena_new(&run, struct elf, 1);

	assert_true(elf_read(e, describe(own), &run));
	cfi_close(cfi);
	cfi = cfi_open(e, NULL, &run);
	return cfi_find(cfi, 100 + n, false, row) == CFI_FOUND;
}

#define PROGRAM(bytes) program(STR(bytes), 200, &row)

static void has_rule(const struct cfi_row *row, unsigned reg, enum cfi_how how, int64_t n)
{
	for (size_t i = 0; i < row->nrules; i++)
		if (row->rule[i].reg == reg) {
			assert_int_equal(row->rule[i].how, how);
			assert_int_equal(row->rule[i].n, n);
			return;
		}
	assert_int_equal(how, CFI_SAME);
}

static void instructions_say_where_registers_are(void **state)
{
	struct cfi_row row;

	(void)state;
	assert_true(PROGRAM("\x83\x02\x05\x06\x03\x11\x0c\x7e\x2f\x0d\x01"));
	has_rule(&row, 3, CFI_SAVED, -16);
	has_rule(&row, 6, CFI_SAVED, -24);
	has_rule(&row, 12, CFI_SAVED, 16);
	has_rule(&row, 13, CFI_SAVED, 8);
	has_rule(&row, 16, CFI_SAVED, -8);
	assert_true(PROGRAM("\x14\x03\x02\x15\x06\x7f\x09\x0c\x0d\x07\x0e\x08\x10"));
	has_rule(&row, 3, CFI_IS, -16);
	has_rule(&row, 6, CFI_IS, 8);
	has_rule(&row, 12, CFI_MOVED, 13);
	has_rule(&row, 14, CFI_UNDEFINED, 0);
	has_rule(&row, 16, CFI_SAME, 0);
	assert_true(PROGRAM("\x07\x10\xd0"));
	has_rule(&row, 16, CFI_SAVED, -8);
	assert_true(PROGRAM("\x07\x10\x06\x10\x83\x02\xc3"));
	has_rule(&row, 16, CFI_SAVED, -8);
	has_rule(&row, 3, CFI_SAME, 0);
	assert_true(PROGRAM("\x10\x03\x02\x77\x08\x16\x06\x01\x30"));
	assert_int_equal(row.rule[0].how, CFI_SAVED_EXPR);
	assert_int_equal(row.rule[0].expr.n, 2);
	assert_int_equal(row.rule[1].how, CFI_IS_EXPR);
}

static void instructions_say_where_the_frame_is(void **state)
{
	struct cfi_row row;

	(void)state;
	assert_true(PROGRAM("\x0d\x06\x0e\x20"));
	assert_int_equal(row.cfa_reg, 6);
	assert_int_equal(row.cfa_off, 32);
	assert_true(PROGRAM("\x12\x06\x7e\x0a\x13\x7c"));
	assert_int_equal(row.cfa_off, 32);
	assert_true(PROGRAM("\x12\x06\x7e\x0a\x13\x7c\x0b"));
	assert_int_equal(row.cfa_off, 16);
	assert_true(PROGRAM("\x0f\x03\x76\x78\x06"));
	assert_int_equal(row.cfa_expr.n, 2);
	assert_true(PROGRAM("\x0f\x02\x76\x78\x0c\x07\x10\x2e\x40"));
	assert_int_equal(row.cfa_expr.n, 0);
	assert_int_equal(row.cfa_off, 16);
}

static void row_is_that_of_its_address(void **state)
{
	const struct str own =
	        STR("\x0e\x10\x42\x0e\x18\x02\x0a\x0e\x20\x03\x00\x01\x0e\x28"
	            "\x04\x00\x01\x00\x00\x0e\x30\x01\x00\x10\x00\x00\x0e\x38");
	struct cfi_row row;

	(void)state;
	static const uint64_t at[] = { 0, 1, 2, 11, 12, 267, 268, 523, 524, 3995, 3996 };
	static const int64_t off[] = { 16, 16, 24, 24, 32, 32, 40, 40, 48, 48, 56 };

	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		assert_true(program(own, at[i], &row));
		assert_int_equal(row.cfa_off, off[i]);
	}
}

static void broken_programs_are_refused(void **state)
{
	struct cfi_row row;
	char deep[200];

	(void)state;
	assert_false(PROGRAM("\x0b"));         /* nothing was remembered */
	assert_false(PROGRAM("\x3f"));         /* no such instruction */
	assert_false(PROGRAM("\x2d"));         /* of another machine */
	assert_false(PROGRAM("\x0f\x09\x30")); /* longer than the program */
	assert_false(PROGRAM("\x0d\x40"));     /* a vector register */
	assert_false(PROGRAM("\x07\x80\x02")); /* no such register */
	assert_false(PROGRAM("\x04\x01"));
	memset(deep, 0x0a, sizeof(deep));
	assert_false(program((struct str){ deep, sizeof(deep) }, 0, &row));
	assert_true(program((struct str){ deep, 60 }, 0, &row));
}

/* What the expression yields, or 0xbad with the reason in end. */
static enum cfi_end end;

static uint64_t value_of(struct str expr)
{
	struct cfi_frame f = frame(EM_X86_64, 0x55);
	uint64_t stack[WORDS] = { 0x1122334455667788 }, v;
	struct cfi_memory m = { word, stack };
	struct cfi_row row;
	char own[64] = { 0x16, 3, (char)expr.n }; /* DW_CFA_val_expression: r3 */

	f.reg[X86_IP] = 0x55;
	f.known &= ~((uint64_t)1 << 1);
	f.lost |= (uint64_t)1 << 1;
	f.known &= ~((uint64_t)1 << 2);
	memcpy(own + 3, expr.p, expr.n);
	end = CFI_WRONG;
	if (!program((struct str){ own, 3 + expr.n }, 0, &row))
		return 0xbad;
	assert_int_equal(row.rule[0].how, CFI_IS_EXPR);
	end = dwarf_expr_value(row.rule[0].expr, 0xcfa, &f, &m, &v);
	return end == CFI_OK ? v : 0xbad;
}

#define VALUE(bytes) value_of(STR(bytes))

static void expressions_compute(void **state)
{
	(void)state;
	assert_int_equal(VALUE("\x96"), 0xcfa);
	assert_int_equal(VALUE("\x30\x4f\x22"), 31);
	assert_int_equal(VALUE("\x08\xff\x09\xff\x22"), 254);
	assert_int_equal(VALUE("\x0a\x34\x12\x0b\xff\xff\x22"), 0x1233);
	assert_int_equal(VALUE("\x0c\x01\x00\x00\x80\x0d\xff\xff\xff\xff\x22"),
	                 0x80000000);
	assert_int_equal(VALUE("\x0e\x01\x02\x03\x04\x05\x06\x07\x08"),
	                 0x0807060504030201);
	assert_int_equal(VALUE("\x10\x81\x01\x11\x7f\x22"), 128);
	assert_int_equal(VALUE("\x73\x08"), 0x103 + 8);
	assert_int_equal(VALUE("\x92\x03\x78"), 0x103 - 8);
	assert_int_equal(VALUE("\x77\x00\x06"), 0x1122334455667788);
	assert_int_equal(VALUE("\x77\x00\x94\x04"), 0x55667788);
	assert_int_equal(VALUE("\x77\x00\x94\x01"), 0x88);
	assert_int_equal(VALUE("\x31\x32\x12\x22"), 4);
	assert_int_equal(VALUE("\x31\x32\x13"), 1);
	assert_int_equal(VALUE("\x31\x32\x14"), 1);
	assert_int_equal(VALUE("\x31\x32\x15\x01"), 1);
	assert_int_equal(VALUE("\x35\x32\x16\x1c"), (uint64_t)-3);
	assert_int_equal(VALUE("\x31\x32\x33\x17"), 2);
	assert_int_equal(VALUE("\x31\x1f\x19"), 1);
	assert_int_equal(VALUE("\x36\x33\x1a"), 2);
	assert_int_equal(VALUE("\x39\x1f\x32\x1b"), (uint64_t)-4);
	assert_int_equal(VALUE("\x39\x30\x1b"), 0);
	assert_int_equal(VALUE("\x39\x34\x1d"), 1);
	assert_int_equal(VALUE("\x39\x34\x1e"), 36);
	assert_int_equal(VALUE("\x30\x20"), UINT64_MAX);
	assert_int_equal(VALUE("\x34\x31\x21"), 5);
	assert_int_equal(VALUE("\x34\x23\x10"), 20);
	assert_int_equal(VALUE("\x31\x34\x24\x33\x25"), 2);
	assert_int_equal(VALUE("\x30\x20\x08\x40\x26"), UINT64_MAX);
	assert_int_equal(VALUE("\x31\x08\x40\x24"), 0);
	assert_int_equal(VALUE("\x38\x1f\x31\x26"), (uint64_t)-4);
	assert_int_equal(VALUE("\x38\x31\x26"), 4);
	assert_int_equal(VALUE("\x38\x08\x40\x26"), 0);
	assert_int_equal(VALUE("\x35\x36\x27"), 3);
	assert_int_equal(VALUE("\x35\x36\x29\x35\x36\x2e\x22"), 1);
	assert_int_equal(VALUE("\x35\x36\x2a\x35\x36\x2d\x22"), 1);
	assert_int_equal(VALUE("\x35\x36\x2b\x35\x36\x2c\x22"), 1);
	assert_int_equal(VALUE("\x31\x2f\x01\x00\x32\x96"), 1);
	assert_int_equal(VALUE("\x31\x31\x28\x01\x00\x32"), 1);
	assert_int_equal(VALUE("\x31\x30\x28\x01\x00\x32"), 2);
	/* How far a stub of .plt has come. */
	assert_int_equal(VALUE("\x77\x08\x80\x00\x3f\x1a\x3a\x2a\x33\x24\x22"),
	                 STACK + 8);
}

static void broken_expressions_end(void **state)
{
	(void)state;
	assert_int_equal(VALUE("\x13\x13"), 0xbad);
	assert_int_equal(VALUE("\x13\x22"), 0xbad);
	assert_int_equal(VALUE("\x15\x09"), 0xbad);
	assert_int_equal(VALUE("\x0e\x01"), 0xbad);
	assert_int_equal(VALUE("\xf0"), 0xbad);
	assert_int_equal(VALUE("\x2f\x10\x00"), 0xbad);
	assert_int_equal(VALUE("\x2f\xfd\xff"), 0xbad); /* for ever */
	assert_int_equal(VALUE("\x12\x2f\xfc\xff"), 0xbad);
	assert_int_equal(VALUE("\x77\x00\x94\x09"), 0xbad);
	assert_int_equal(end, CFI_WRONG);
	assert_int_equal(VALUE("\x72\x00"), 0xbad);
	assert_int_equal(end, CFI_WRONG);
	assert_int_equal(VALUE("\x71\x00"), 0xbad);
	assert_int_equal(end, CFI_CUT);
	assert_int_equal(VALUE("\x30\x06"), 0xbad);
	assert_int_equal(end, CFI_CUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_finds_the_row),
		cmocka_unit_test(between_functions_is_a_gap),
		cmocka_unit_test(debug_file_describes_what_the_image_does_not),
		cmocka_unit_test(debug_file_of_a_prelinked_image_is_moved),
		cmocka_unit_test(frame_pointer_survives_alloca),
		cmocka_unit_test(signal_frame_gives_what_was_interrupted),
		cmocka_unit_test(outermost_frame_is_the_end),
		cmocka_unit_test(dump_that_ends_is_told_from_the_end),
		cmocka_unit_test(undescribed_code_may_have_a_frame_pointer),
		cmocka_unit_test(undescribed_stub_has_its_return_address_on_top),
		cmocka_unit_test(arm64_returns_by_the_link_register),
		cmocka_unit_test(arm64_return_addresses_are_signed),
		cmocka_unit_test(arm64_signal_context_has_all_registers),
		cmocka_unit_test(arm64_leaf_without_description),
		cmocka_unit_test(instructions_say_where_registers_are),
		cmocka_unit_test(instructions_say_where_the_frame_is),
		cmocka_unit_test(row_is_that_of_its_address),
		cmocka_unit_test(broken_programs_are_refused),
		cmocka_unit_test(expressions_compute),
		cmocka_unit_test(broken_expressions_end),
	};

	return cmocka_run_group_tests(tests, NULL, leave);
}
