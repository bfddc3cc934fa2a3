/*
 * compare - the unit in which the weights of two profiles are compared.
 *
 * If one profile is longer, each of its functions has more weight.  In shares of the whole, one
 * function that grows makes all others shrink.  So by default the weights of the second profile
 * are divided by the median ratio of the self weights of all functions with a share of at least
 * 0.1 % in both profiles.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "base/arena.h"

enum compare_unit {
	/* the default; becomes COMPARE_SHARE if fewer than 10 functions are common */
	COMPARE_NORMALIZED,
	COMPARE_ABSOLUTE,
	COMPARE_PER_SECOND,
	COMPARE_SHARE,
	COMPARE_UNITS
};

enum { COMPARE_COMMON = 10 };

/* One of two profiles.  A function has the same index in both. */
struct compared {
	const double *self;
	double total;
	uint64_t duration_us; /* 0: unknown */
};

struct comparison {
	enum compare_unit unit;
	double factor[2]; /* by side: weights are multiplied by it */
	double ratio;  /* the median of after / before, or 0 without enough functions */
	size_t common; /* functions with a share of 0.1 % in both */
};

/* Returns the word for --unit: "normalized", ... */
const char *compare_name(enum compare_unit unit);

/* Finds the factors.  Returns false if COMPARE_PER_SECOND lacks a duration. */
bool compare_begin(struct comparison *c, enum compare_unit unit,
                   const struct compared side[2], size_t n, struct arena *scratch);

/* Returns the change of a weight, after minus before. */
static inline double compare_change(const struct comparison *c, double before,
                                    double after)
{
	return after * c->factor[1] - before * c->factor[0];
}

#endif
