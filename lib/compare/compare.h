/*
 * compare - the unit in which the weights of two profiles are compared.
 *
 * If one profile is longer, each of its functions has more weight.  In shares of the whole, one
 * function that grows makes all others shrink.  So by default the weights of the second profile
 * are divided by the median ratio of the self weights of all common functions, those with a share
 * of at least 0.1 % in both profiles, or in 90 % of more profiles.  More profiles have no first and
 * second, so each has a size factor (compare/factors.h).  The ratio of the factors of two profiles is
 * the median ratio, with the geometric mean of the middle ones if their number is even.
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
	double factor[2]; /* by side: multiplies its weights */
	double ratio;     /* median of after / before, or 0 with too few functions */
	size_t common;    /* functions */
};

/* Returns the word for --unit: "normalized", ... */
const char *compare_name(enum compare_unit unit);

/* Finds the factors.  Returns false if COMPARE_PER_SECOND lacks a duration. */
bool compare_begin(struct comparison *c, enum compare_unit unit,
                   const struct compared side[2], size_t n, struct arena *scratch);

/* Returns true if the weight is at least 0.1 % of the total. */
bool compare_has(double weight, double total);

/* Returns true if a function in `having` of n profiles is common. */
bool compare_is_common(size_t having, size_t n);

/*
 * Returns the size factor of each profile, by the common functions, or NULL if there are fewer than
 * COMPARE_COMMON.  weight has a row of nprofiles for each function.  Sets their number.
 */
double *compare_factors(const double *weight, const double *total, size_t nfunctions,
                        size_t nprofiles, size_t *common, struct arena *a);

/* Returns the change of a weight, after minus before. */
static inline double compare_change(const struct comparison *c, double before,
                                    double after)
{
	return after * c->factor[1] - before * c->factor[0];
}

#endif
