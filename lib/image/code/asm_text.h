/*
 * asm_text - a buffer for the text of one instruction.  Longer text is truncated.  Private to
 * image/code/.
 */
#ifndef IMAGE_CODE_ASM_TEXT_H
#define IMAGE_CODE_ASM_TEXT_H

#include <stddef.h>

struct asm_text {
	char p[256];
	size_t n;
};

__attribute__((format(printf, 2, 3))) void asm_text_add(struct asm_text *t,
                                                        const char *fmt, ...);

/* Adds blanks up to the column of operands, or one blank if the text is longer. */
void asm_text_operands(struct asm_text *t);

#endif
