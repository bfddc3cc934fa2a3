/* decoder - the interface of decoders, one for each machine.  Private to image/code/. */
#ifndef IMAGE_CODE_DECODER_H
#define IMAGE_CODE_DECODER_H

#include "image/code/asm_text.h"
#include "image/code/disasm.h"

struct decoder {
	unsigned machine; /* EM_* */
	size_t step;      /* all instructions begin at multiples of `step` */
	/* Returns the state of the decoder, or NULL if it cannot be opened. */
	void *(*open)(struct arena *a);
	/*
	 * Decodes an instruction: sets len, target and kind of *out.  The caller has set
	 * addr and bytes of *out.  Returns false if `code` does not begin with a known
	 * instruction.  Then len is its length if the encoding determines it, otherwise 0.
	 */
	bool (*decode)(void *state, struct str code, struct code_insn *out);
	/* Adds the text of the last decoded instruction, which is *in. */
	void (*print)(void *state, const struct code_insn *in, struct asm_text *t);
	void (*close)(void *state); /* may be NULL */
};

#endif
