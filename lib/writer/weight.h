/* weight - sums of counts, which may have fractions; they saturate. */
#ifndef WRITER_WEIGHT_H
#define WRITER_WEIGHT_H

#include <stdint.h>

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

#endif
