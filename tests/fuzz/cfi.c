/*
 * An ELF file, as the image and as its own debug file: rows must be about registers that
 * there are; chains over a stack of the same bytes must end.  Its .eh_frame is read alone, too,
 * as a jitdump has it.
 */
#include <stdint.h>
#include <stdlib.h>

#include "image/cfi/cfi_step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ADDRESSES = 48, DEPTH = 127, STACK = 0x10000 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static enum cfi_read word(void *ctx, uint64_t addr, uint64_t *out)
{
	const struct str *bytes = ctx;
	uint64_t at = addr - STACK;

	if (at >= bytes->n)
		return addr & 1 ? CFI_BLANK : CFI_UNMAPPED;
	if (bytes->n - at < 8)
		return CFI_BLANK;
	memcpy(out, bytes->p + at, 8);
	return CFI_WORD;
}

static void judge(const struct cfi_row *row)
{
	must(row->ra < CFI_REGS && row->nrules <= CFI_REGS);
	must(row->cfa_expr.n || row->cfa_reg < CFI_REGS);
	for (size_t i = 0; i < row->nrules; i++) {
		must(row->rule[i].reg < CFI_REGS && row->rule[i].how != CFI_SAME);
		must(!i || row->rule[i].reg > row->rule[i - 1].reg);
		must(!row->rule[i].expr.n == (row->rule[i].how < CFI_SAVED_EXPR));
	}
}

static void follow(struct cfi *c, uint64_t va, bool as_perf, struct str bytes)
{
	struct cfi_frame f = { .ip = va, .cfa = STACK, .exact = true };
	struct cfi_memory m = { word, &bytes };
	enum cfi_end end = CFI_OK;

	for (unsigned i = 0; i < CFI_REGS; i++)
		f.reg[i] = STACK + i * 24;
	f.known = ((uint64_t)1 << CFI_REGS) - 1;
	for (int i = 0; i < DEPTH && end == CFI_OK; i++) {
		struct cfi_row row;
		enum cfi_found found = cfi_find(c, f.ip - !f.exact, as_perf, &row);

		if (found == CFI_NONE)
			return;
		if (found == CFI_GAP) {
			end = cfi_step_guess(cfi_machine(c), &m, as_perf, &f);
			continue;
		}
		judge(&row);
		end = cfi_step(&row, cfi_machine(c), &m, &f);
	}
}

static void follow_all(struct cfi *c, const struct elf *e, struct str bytes)
{
	for (size_t i = 0; c && i < e->nloads && i < 4; i++)
		for (uint64_t k = 0; k < ADDRESSES; k++) {
			uint64_t va =
			        e->load[i].va + e->load[i].size / ADDRESSES * k + k % 5;

			follow(c, va, k % 3 == 0, bytes);
		}
}

static void read_alone(const struct elf *e, struct str bytes, struct arena *a)
{
	struct str eh_frame;
	struct cfi *c;
	uint64_t va;

	if (!elf_section(e, STR(".eh_frame"), &eh_frame, &va))
		return;
	c = cfi_open_frames(eh_frame, va, 0, a);
	follow_all(c, e, bytes);
	cfi_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct arena a = { 0 };
	struct cfi *c = NULL;
	struct elf e;

	if (elf_read(&e, bytes, &a))
		c = cfi_open(&e, &e, &a);
	follow_all(c, &e, bytes);
	if (c)
		read_alone(&e, bytes, &a);
	cfi_close(c);
	arena_release(&a);
	return 0;
}
