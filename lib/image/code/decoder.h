/*
 * decoder - decodes one instruction of one machine.  Private to image/code/.
 */
#ifndef IMAGE_CODE_DECODER_H
#define IMAGE_CODE_DECODER_H

#include "image/code/asm_text.h"
#include "image/code/disasm.h"

struct decoder {
	unsigned machine; /* EM_* */
	size_t step;      /* instructions begin at multiples of it */
	/* Returns the state of the decoder, or NULL if it cannot be opened. */
	void *(*open)(struct arena *a);
	/*
	 * Sets len, target and kind of *out, whose addr and bytes are set, and adds
	 * the text.  Returns false if `code` does not begin with an instruction.
	 */
	bool (*decode)(void *state, struct str code, struct code_insn *out,
	               struct asm_text *t);
	void (*close)(void *state);
};

#endif
