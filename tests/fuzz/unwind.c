/*
 * Registers and a dump of a stack, of a program that is whole: one byte for the machine,
 * the registers, the dump.  A chain is bounded, and its frames know no register that
 * nothing gave.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>

#include "image/cfi/cfi_step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEPTH = 127 };

/* fixtures/unwind */
__asm__(".section .rodata\n"
        "x86_begin: .incbin \"fixtures/unwind/stacks\"\nx86_end:\n"
        "arm_begin: .incbin \"fixtures/unwind/arm64\"\narm_end:\n"
        ".text\n");
extern const char x86_begin[], x86_end[], arm_begin[], arm_end[];

static void must(bool holds)
{
	if (!holds)
		abort();
}

struct dump {
	uint64_t sp;
	struct str bytes;
};

static enum cfi_read word(void *ctx, uint64_t addr, uint64_t *out)
{
	const struct dump *d = ctx;
	uint64_t at = addr - d->sp;

	if (at >= d->bytes.n)
		return CFI_UNMAPPED;
	if (d->bytes.n - at < 8)
		return CFI_BLANK;
	memcpy(out, d->bytes.p + at, 8);
	return CFI_WORD;
}

static void follow(struct cfi *c, struct cfi_frame *f, struct dump *d, bool as_perf)
{
	unsigned machine = cfi_machine(c);
	struct cfi_memory m = { word, d };
	enum cfi_end end = CFI_OK;

	for (int i = 0; i < DEPTH && end == CFI_OK; i++) {
		struct cfi_row row;
		enum cfi_found found = cfi_find(c, f->ip - !f->exact, as_perf, &row);

		must(found != CFI_NONE);
		end = found == CFI_GAP ? cfi_step_guess(machine, &m, as_perf, f)
		                       : cfi_step(&row, machine, &m, f);
		must(!(f->known & f->lost) && !(f->known >> CFI_REGS));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	bool x86 = size && !(*data & 1), as_perf = size && *data & 2;
	struct str file =
	        x86 ? str_span(x86_begin, x86_end) : str_span(arm_begin, arm_end);
	struct cfi_frame f = { .exact = true };
	struct arena a = { 0 };
	struct dump d;
	struct cfi *c;
	struct elf e;

	in = str_from(in, 1);
	if (in.n < sizeof(f.reg))
		return 0;
	memcpy(f.reg, in.p, sizeof(f.reg));
	f.known = ((uint64_t)1 << CFI_REGS) - 1;
	f.ip = f.reg[x86 ? X86_IP : ARM_PC];
	f.cfa = d.sp = f.reg[x86 ? X86_SP : ARM_SP];
	d.bytes = str_from(in, sizeof(f.reg));
	must(elf_read(&e, file, &a));
	c = cfi_open(&e, NULL, &a);
	must(c != NULL);
	follow(c, &f, &d, as_perf);
	cfi_close(c);
	arena_release(&a);
	return 0;
}
