/* weight - sums of counts, which may have fractions.  Sums saturate. */
#ifndef STACK_WEIGHT_H
#define STACK_WEIGHT_H

#include "base/str.h"

enum { WEIGHT_ONE = 1000000000 };

struct weight {
	uint64_t n;
	uint32_t fraction; /* in parts of WEIGHT_ONE */
};

static inline double weight_value(struct weight w)
{
	return (double)w.n + w.fraction / 1e9;
}

static inline struct weight weight_sum(struct weight a, struct weight b)
{
	a.fraction += b.fraction;
	if (a.fraction >= WEIGHT_ONE) {
		a.fraction -= WEIGHT_ONE;
		b.n += b.n < UINT64_MAX;
	}
	if (__builtin_add_overflow(a.n, b.n, &a.n))
		a.n = UINT64_MAX;
	/* A saturated sum has no fraction, so further additions do not change it. */
	if (a.n == UINT64_MAX)
		a.fraction = 0;
	return a;
}

/* Returns a - b.  b must not be greater than a. */
struct weight weight_difference(struct weight a, struct weight b);

enum { WEIGHT_DIGITS = 32 };

/* Returns "12" or "4.5", without final zeros. */
struct str weight_digits(struct weight w, char buf[WEIGHT_DIGITS]);

static inline int weight_compare(struct weight a, struct weight b)
{
	if (a.n != b.n)
		return a.n < b.n ? -1 : 1;
	return (a.fraction > b.fraction) - (a.fraction < b.fraction);
}

#endif
