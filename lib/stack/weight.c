#include "stack/weight.h"

#include <stdio.h>

struct weight weight_difference(struct weight a, struct weight b)
{
	if (a.fraction < b.fraction) {
		a.fraction += WEIGHT_ONE;
		a.n--;
	}
	a.n -= b.n;
	a.fraction -= b.fraction;
	return a;
}

struct str weight_digits(struct weight w, char buf[WEIGHT_DIGITS])
{
	int n = snprintf(buf, WEIGHT_DIGITS, "%llu", (unsigned long long)w.n);

	if (w.fraction) {
		n += snprintf(buf + n, (size_t)(WEIGHT_DIGITS - n), ".%09u",
		              w.fraction % WEIGHT_ONE);
		while (buf[n - 1] == '0')
			n--;
	}
	return (struct str){ buf, (size_t)n };
}
