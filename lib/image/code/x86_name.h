/*
 * x86_name - the name of an instruction of x86-64, as objdump prints it.  Private to
 * image/code/.
 */
#ifndef IMAGE_CODE_X86_NAME_H
#define IMAGE_CODE_X86_NAME_H

#include <stdbool.h>

#include <Zydis/Zydis.h>

#include "image/code/asm_text.h"

struct x86_insn {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	const char *name; /* if Zydis does not know the instruction, else NULL */
};

/* The operand in memory that is written out, or NULL. */
const ZydisDecodedOperand *x86_name_memory(const struct x86_insn *x);

/* True for movs, stos and the like, not for MOVSD of SSE. */
bool x86_name_is_string(const struct x86_insn *x);

/* Adds prefixes and mnemonic.  Returns false if the name contains the immediate operand. */
bool x86_name(const struct x86_insn *x, struct asm_text *t);

#endif
