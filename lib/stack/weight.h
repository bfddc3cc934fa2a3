/* weight - sums of counts, which may have fractions; they saturate. */
#ifndef STACK_WEIGHT_H
#define STACK_WEIGHT_H

#include "base/str.h"

struct weight {
	uint64_t n;
	uint32_t fraction; /* billionths of one */
};

static inline double weight_value(struct weight w)
{
	return (double)w.n + w.fraction / 1e9;
}

struct weight weight_sum(struct weight a, struct weight b);

/* a - b; b is not greater. */
struct weight weight_difference(struct weight a, struct weight b);

enum { WEIGHT_DIGITS = 32 };

/* "12", "4.5": without zeros at the end. */
struct str weight_digits(struct weight w, char buf[WEIGHT_DIGITS]);

static inline int weight_compare(struct weight a, struct weight b)
{
	if (a.n != b.n)
		return a.n < b.n ? -1 : 1;
	return (a.fraction > b.fraction) - (a.fraction < b.fraction);
}

#endif
