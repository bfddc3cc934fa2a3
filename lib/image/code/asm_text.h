/*
 * asm_text - a buffer for the text of one instruction.  Longer text is truncated.  Private to
 * image/code/.
 */
#ifndef IMAGE_CODE_ASM_TEXT_H
#define IMAGE_CODE_ASM_TEXT_H

#include "base/str.h"

struct asm_text {
	char p[256];
	size_t n;
};

/*
 * Adds text, formatted as by printf.  Frequent texts use the functions below, because vsnprintf
 * would take most of the time.
 */
__attribute__((format(printf, 2, 3))) void asm_text_add(struct asm_text *t,
                                                        const char *fmt, ...);

static inline void asm_text_str(struct asm_text *t, struct str s)
{
	s = str_head(s, sizeof(t->p) - 1 - t->n);
	if (s.n)
		memcpy(t->p + t->n, s.p, s.n);
	t->n += s.n;
}

static inline void asm_text_word(struct asm_text *t, const char *word)
{
	asm_text_str(t, str_of(word));
}

/* Adds "0x1f". */
void asm_text_hex(struct asm_text *t, uint64_t v);

/* Adds "401020": the target of a branch. */
void asm_text_target(struct asm_text *t, uint64_t target);

/* Adds blanks up to the column of operands, or one blank if the text is longer. */
void asm_text_operands(struct asm_text *t);

#endif
