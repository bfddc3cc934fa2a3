#include "writer/flame/xml.h"

#include <math.h>
#include <stdlib.h>

void xml_text(struct out *out, struct str s)
{
	size_t done = 0;

	for (size_t i = 0; i < s.n; i++) {
		/* In ASCII, all special characters precede '?'. */
		const char *with = s.p[i] >= '?'    ? NULL
		                   : s.p[i] == '<'  ? "&lt;"
		                   : s.p[i] == '>'  ? "&gt;"
		                   : s.p[i] == '&'  ? "&amp;"
		                   : s.p[i] == '"'  ? "&quot;"
		                   : s.p[i] == '\'' ? "&#39;"
		                                    : NULL;

		if (!with)
			continue;
		out_str(out, str_span(s.p + done, s.p + i));
		out_str(out, str_of(with));
		done = i + 1;
	}
	if (done < s.n)
		out_str(out, str_from(s, done));
}

void xml_two_digits(struct out *out, unsigned n)
{
	char digits[20];

	out_str(out, (struct str){ digits, out_dec_at(digits, n, 2) });
}

void xml_pixels(struct out *out, double v)
{
	long long hundredths = llrint(v * 100);
	unsigned rest = (unsigned)llabs(hundredths % 100);

	if (hundredths < 0)
		out_char(out, '-');
	out_dec(out, (uint64_t)llabs(hundredths / 100));
	if (!rest)
		return;
	out_char(out, '.');
	if (rest % 10)
		xml_two_digits(out, rest);
	else
		out_char(out, (char)('0' + rest / 10));
}

void xml_attr(struct out *out, const char *name, double v)
{
	out_fmt(out, " %s=\"", name);
	xml_pixels(out, v);
	out_char(out, '"');
}

void xml_color(struct out *out, struct rgb c)
{
	out_fmt(out, "#%02x%02x%02x", c.r, c.g, c.b);
}
