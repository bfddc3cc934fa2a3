#include "image/code/asm_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/out.h"

enum { OPERANDS = 7 }; /* column of the operands */

static void put(struct asm_text *t, struct str s)
{
	size_t room = sizeof(t->p) - 1 - t->n;

	s = str_head(s, room);
	memcpy(t->p + t->n, s.p, s.n);
	t->n += s.n;
}

static void put_hex(struct asm_text *t, uint64_t v)
{
	char digits[OUT_HEX];

	put(t, (struct str){ digits, out_hex_at(digits, v, 1) });
}

/* Adds text that vsnprintf formats. */
static __attribute__((format(printf, 2, 0))) void put_other(struct asm_text *t,
                                                            const char *fmt, va_list ap)
{
	size_t room = sizeof(t->p) - t->n;
	int n = vsnprintf(t->p + t->n, room, fmt, ap);

	if (n > 0)
		t->n += (size_t)n < room ? (size_t)n : room - 1;
}

/*
 * Formats "%s", hexadecimal numbers and "%%" itself, because vsnprintf would take most of the
 * time.
 */
void asm_text_add(struct asm_text *t, const char *fmt, ...)
{
	struct str rest = str_of(fmt);
	va_list ap;

	va_start(ap, fmt);
	while (rest.n) {
		size_t n = str_find(rest, '%');

		put(t, str_head(rest, n));
		rest = str_from(rest, n);
		if (str_starts(rest, STR("%s"))) {
			put(t, str_of(va_arg(ap, const char *)));
			rest = str_from(rest, 2);
		} else if (str_starts(rest, STR("%" PRIx64))) {
			put_hex(t, va_arg(ap, uint64_t));
			rest = str_from(rest, strlen("%" PRIx64));
		} else if (str_starts(rest, STR("%%"))) {
			put(t, STR("%"));
			rest = str_from(rest, 2);
		} else if (rest.n) {
			put_other(t, rest.p, ap);
			break;
		}
	}
	va_end(ap);
}

void asm_text_operands(struct asm_text *t)
{
	size_t n = t->n < OPERANDS ? OPERANDS - t->n : 1;

	put(t, str_head(STR("       "), n));
}
