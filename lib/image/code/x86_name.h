/* x86_name - prints the name of an x86-64 instruction as objdump does.  Private to image/code/. */
#ifndef IMAGE_CODE_X86_NAME_H
#define IMAGE_CODE_X86_NAME_H

#include <stdbool.h>

#include <Zydis/Zydis.h>

#include "image/code/asm_text.h"

struct x86_insn {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	const char *name; /* the name if Zydis does not know the instruction, else NULL */
};

/* Returns true for string instructions such as movs and stos, but not for MOVSD of SSE. */
bool x86_name_is_string(const struct x86_insn *x);

/*
 * Adds prefixes and mnemonic.  Returns false if the mnemonic already expresses the immediate
 * operand.
 */
bool x86_name(const struct x86_insn *x, struct asm_text *t);

#endif
