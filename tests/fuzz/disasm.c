/*
 * Machine code: instructions follow each other without gaps up to the end, each has a text, and
 * decoding resumes at the first known address after bytes that are not an instruction.  The first
 * byte selects the machine.  Each byte of 8 in the second and third selects a known address.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>

#include "image/code/disasm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 3, KNOWN = 16, ADDR = 0x1000 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static bool is_printable(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < 0x20 || s.p[i] > 0x7e)
			return false;
	return s.n;
}

static void decode(struct disasm *d, struct str code, const uint64_t *known, size_t n)
{
	struct code_insn insn;
	uint64_t addr = ADDR;

	disasm_start(d, code, addr, known, n);
	while (disasm_next(d, &insn)) {
		must(insn.addr == addr && insn.len && insn.len <= code.n - (addr - ADDR));
		must(insn.bytes == (const uint8_t *)code.p + (addr - ADDR));
		must(is_printable(disasm_text(d)));
		must(insn.kind == CODE_BAD || insn.len <= 15);
		must(insn.kind == CODE_CALL || insn.kind == CODE_JUMP || !insn.target ||
		     str_starts(disasm_text(d), STR("xbegin")));
		must(insn.kind != CODE_POINTER || (insn.len == 8 && addr % 8 == 0));
		for (size_t i = 0; i < n && insn.kind >= CODE_BAD; i++)
			must(known[i] <= addr || known[i] >= addr + insn.len);
		addr += insn.len;
	}
	must(addr - ADDR == code.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	uint64_t known[KNOWN];
	struct disasm *d;
	size_t n = 0;

	if (size < HEAD)
		return 0;
	for (size_t i = 0; i < KNOWN; i++)
		if (data[1 + i / 8] >> i % 8 & 1)
			known[n++] = ADDR + 4 * i;
	d = disasm_open(data[0] % 2 ? EM_AARCH64 : EM_X86_64, &a);
	must(d);
	decode(d, (struct str){ (const char *)data + HEAD, size - HEAD }, known, n);
	disasm_close(d);
	arena_release(&a);
	return 0;
}
