/*
 * disasm - disassembles machine code.
 *
 * Uses Zydis for x86-64 and Capstone for arm64.  Prints AT&T syntax with the mnemonics of
 * objdump -d.  The code must begin with an instruction.  If bytes are not an instruction, they
 * become one .byte line, and decoding resumes at the next known address, or after a vector
 * instruction that is newer than Zydis.  Known addresses are
 * those that the caller passes (samples, lines, symbols), and the targets of branches that were
 * decoded earlier.  On arm64, all multiples of 4 are known, because instructions have 4 bytes.
 * If 8 bytes contain an address of the same code, they become a .quad line, because JIT
 * compilers put jump tables into the code.
 */
#ifndef IMAGE_CODE_DISASM_H
#define IMAGE_CODE_DISASM_H

#include "base/arena.h"

enum code_kind {
	CODE_OTHER,
	CODE_JUMP, /* conditional or not, direct or not */
	CODE_CALL,
	CODE_BAD,     /* bytes that are not an instruction */
	CODE_POINTER, /* 8 aligned bytes with an address of the same code: a jump table */
};

struct code_insn {
	uint64_t addr; /* in the caller's address space */
	size_t len;
	const uint8_t *bytes; /* inside the caller's code */
	uint64_t target;      /* target of a direct branch or call, otherwise 0 */
	enum code_kind kind;
};

struct disasm;

/*
 * Opens a disassembler.  machine: EM_X86_64 or EM_AARCH64.  Returns NULL for other machines.  `a`
 * must outlive the result.
 */
struct disasm *disasm_open(unsigned machine, struct arena *a);

/*
 * Returns the disassembler in a list for that machine.  If there is none, opens one and adds it.
 * Code of many functions is disassembled faster by one disassembler, which remembers frequent
 * instructions.
 */
struct disasm *disasm_find(struct disasm **list, unsigned machine, struct arena *a);

/* Starts to disassemble the code at addr.  known: n sorted addresses, which must stay valid. */
void disasm_start(struct disasm *d, struct str code, uint64_t addr, const uint64_t *known,
                  size_t n);

/* Sets *out to the next instruction.  Returns false at the end of the code. */
bool disasm_next(struct disasm *d, struct code_insn *out);

/*
 * Returns the text of the last instruction: "mov    0x8(%rdi),%rax".  Valid until the next call.
 * Branch targets are hexadecimal numbers without names: "call   401020".
 */
struct str disasm_text(struct disasm *d);

/* Closes a disassembler, or all in a list.  d may be NULL. */
void disasm_close(struct disasm *d);

#endif
