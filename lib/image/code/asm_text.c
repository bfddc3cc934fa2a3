#include "image/code/asm_text.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/out.h"

enum { OPERANDS = 7 }; /* column of the operands */

void asm_text_add(struct asm_text *t, const char *fmt, ...)
{
	size_t room = sizeof(t->p) - t->n;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->p + t->n, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->n += (size_t)n < room ? (size_t)n : room - 1;
}

void asm_text_target(struct asm_text *t, uint64_t target)
{
	char digits[OUT_HEX];

	asm_text_str(t, (struct str){ digits, out_hex_at(digits, target, 1) });
}

void asm_text_hex(struct asm_text *t, uint64_t v)
{
	asm_text_str(t, STR("0x"));
	asm_text_target(t, v);
}

void asm_text_operands(struct asm_text *t)
{
	size_t n = t->n < OPERANDS ? OPERANDS - t->n : 1;

	asm_text_str(t, str_head(STR("       "), n));
}
