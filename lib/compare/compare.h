/*
 * compare - chooses the unit in which the weights of two profiles are compared.  Absolute weights
 * grow with the length of a profile.  If one function grows, the shares of all other functions
 * shrink.  So by default the weights of the second profile are divided by the median ratio of the
 * self weights of all common functions.  A function is common if its share is at least 0.1 % in
 * both profiles, or in 90 % of the profiles if there are more than two.  With more than two
 * profiles, each profile gets a size factor (compare_size_factors).  For two profiles, the quotient
 * of their size factors equals the median ratio.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "base/arena.h"

enum compare_unit {
	/* the default.  COMPARE_SHARE replaces it if fewer than 10 functions are common */
	COMPARE_NORMALIZED,
	COMPARE_ABSOLUTE,
	COMPARE_PER_SECOND,
	COMPARE_SHARE,
	COMPARE_UNITS
};

enum { COMPARE_COMMON = 10 };

/* One of the two profiles.  A function has the same index in both profiles. */
struct compared {
	const double *self;
	double total;
	uint64_t duration_us; /* 0: unknown */
};

struct comparison {
	enum compare_unit unit;
	double factor[2]; /* factor[i] multiplies the weights of profile i */
	/* median ratio of after to before, or 0 if too few functions are common */
	double ratio;
	size_t common; /* number of common functions */
};

/* Returns the word for --unit: "normalized", ... */
const char *compare_name(enum compare_unit unit);

/* Sets the factors.  Returns false if COMPARE_PER_SECOND needs a duration that is unknown. */
bool compare_begin(struct comparison *c, enum compare_unit unit,
                   const struct compared side[2], size_t n, struct arena *scratch);

/* Returns true if the weight is at least 0.1 % of the total. */
bool compare_has(double weight, double total);

/*
 * Returns true if a function is common.  `having` is the number of profiles, out of n, in which
 * the function has a share of at least 0.1 %.
 */
bool compare_is_common(size_t having, size_t n);

/*
 * Returns a size factor for each profile, by which weights of profiles of different length can be
 * compared.  Returns NULL if a profile contains none of the functions that are used.
 *
 * A function's ratio is its weight in a profile divided by the geometric mean of its weights in
 * all profiles.  The size factor of the profile is the median of these ratios, as in DESeq
 * (Anders and Huber, 2010).  One function that grows hardly changes a median.  Only functions
 * that occur in at least 90 % of the profiles are used.  If some of these functions have a weight
 * of 0 in a profile, the means use only positive weights, and the factors are scaled to a
 * geometric mean of 1.  `weight` has a row of nprofiles weights for each function.  If `counts`
 * is not NULL, only functions with counts[i] set are used.
 */
double *compare_size_factors(const double *weight, const bool *counts, size_t nfunctions,
                             size_t nprofiles, struct arena *a);

/*
 * Returns the size factor of each profile, or NULL if there are fewer than COMPARE_COMMON common
 * functions.  `weight` has a row of nprofiles weights for each function.  Sets *common to the
 * number of common functions.
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
