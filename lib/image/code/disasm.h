/*
 * disasm - machine code as lines of assembler text.
 *
 * Uses Zydis for x86-64 and Capstone for arm64, and prints the AT&T syntax and the
 * mnemonics of objdump -d.  The start of the code must be the start of an instruction.
 * Bytes that are not an instruction become one .byte line, and decoding resumes at the
 * next known address.  Known addresses are those that the caller knows (samples, lines,
 * symbols) and the targets of branches that were decoded earlier.  Instructions of arm64
 * have 4 bytes, so there each multiple of 4 is known.
 */
#ifndef IMAGE_CODE_DISASM_H
#define IMAGE_CODE_DISASM_H

#include "base/arena.h"

enum code_kind {
	CODE_OTHER,
	CODE_JUMP, /* conditional or not, direct or not */
	CODE_CALL,
	CODE_BAD, /* bytes that are not an instruction */
};

struct code_insn {
	uint64_t addr; /* in the address space of the caller */
	size_t len;
	const uint8_t *bytes; /* in the caller's code */
	/*
	 * "mov    0x8(%rdi),%rax", valid until the next disasm_next.  Targets of branches
	 * are hex numbers, without names: "call   401020".
	 */
	struct str text;
	uint64_t target; /* of a direct branch or call, else 0 */
	enum code_kind kind;
};

struct disasm;

/*
 * machine: EM_X86_64 or EM_AARCH64.  Returns NULL for other machines.  `a` must outlive
 * the result.
 */
struct disasm *disasm_open(unsigned machine, struct arena *a);

/* Begins with the code at addr.  known: n sorted addresses, which must stay valid. */
void disasm_start(struct disasm *d, struct str code, uint64_t addr, const uint64_t *known,
                  size_t n);

/* Sets *out to the next instruction.  Returns false at the end of the code. */
bool disasm_next(struct disasm *d, struct code_insn *out);

/* d may be NULL. */
void disasm_close(struct disasm *d);

#endif
