#include "writer/weight.h"

enum { BILLION = 1000000000 };

struct weight weight_sum(struct weight a, struct weight b)
{
	a.fraction += b.fraction;
	if (a.fraction >= BILLION) {
		a.fraction -= BILLION;
		b.n += b.n < UINT64_MAX;
	}
	if (__builtin_add_overflow(a.n, b.n, &a.n))
		a.n = UINT64_MAX;
	/* The greatest sum has no fraction, so that none is less for having more. */
	if (a.n == UINT64_MAX)
		a.fraction = 0;
	return a;
}

struct weight weight_difference(struct weight a, struct weight b)
{
	if (a.fraction < b.fraction) {
		a.fraction += BILLION;
		a.n--;
	}
	a.n -= b.n;
	a.fraction -= b.fraction;
	return a;
}
