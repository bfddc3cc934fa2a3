/*
 * decoder - one instruction of one machine.  Private to image/code/.
 */
#ifndef IMAGE_CODE_DECODER_H
#define IMAGE_CODE_DECODER_H

#include "image/code/disasm.h"

/* The text of one instruction.  It is cut at its end. */
struct asm_text {
	char p[256];
	size_t n;
};

__attribute__((format(printf, 2, 3))) void asm_add(struct asm_text *t, const char *fmt,
                                                   ...);

/* Adds blanks up to the column of the operands, and at least one. */
void asm_operands(struct asm_text *t);

struct decoder {
	unsigned machine; /* EM_* */
	size_t step;      /* instructions begin at multiples of it */
	/* Returns the state of the decoder, or NULL if it cannot be opened. */
	void *(*open)(struct arena *a);
	/*
	 * Sets len, target, data and kind of *out, whose addr and bytes are set, and adds
	 * the text.  Returns false if `code` does not begin with an instruction.
	 */
	bool (*decode)(void *state, struct str code, struct code_insn *out,
	               struct asm_text *t);
	void (*close)(void *state);
};

extern const struct decoder x86_decoder, arm64_decoder;

#endif
