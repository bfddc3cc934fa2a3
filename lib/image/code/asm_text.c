#include "image/code/asm_text.h"

#include <stdarg.h>
#include <stdio.h>

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

void asm_text_operands(struct asm_text *t)
{
	asm_text_add(t, "%*s", t->n < OPERANDS ? OPERANDS - (int)t->n : 1, "");
}
