/*
 * ranks - do two groups of numbers differ?
 *
 * Mann-Whitney's test, two-sided, and the estimate of Hodges and Lehmann with its interval.  The
 * module uses the rules of wilcox.test(new, old, conf.int = TRUE) of R: exact for groups below 50
 * without ties, else the normal approximation with corrections for ties and continuity.
 */
#ifndef COMPARE_RANKS_H
#define COMPARE_RANKS_H

#include "base/arena.h"

struct ranks_result {
	double p;         /* of "both groups have the same distribution" */
	double shift;     /* new - old */
	double low, high; /* the interval of shift */
};

/* Both groups have numbers.  level: 0.95.  Sorts a copy in scratch. */
struct ranks_result ranks_compare(const double *old, size_t nold, const double *new,
                                  size_t nnew, double level, struct arena *scratch);

/* Returns the smallest p that groups of these sizes can have, at most 1. */
double ranks_least_p(size_t nold, size_t nnew);

/* Returns the size of two equal groups if their smallest p is to be at most p. */
size_t ranks_needed(double p);

/* Returns the number x for which a normal deviate is at most x with that probability. */
double ranks_normal_quantile(double probability);

/* Returns the probability that a normal deviate is at most x. */
double ranks_normal(double x);

/* Returns by value: p as Benjamini and Hochberg adjust it, the q of false discoveries. */
double *ranks_adjust(const double *p, size_t n, struct arena *a);

/* Returns the median.  Sorts v. */
double ranks_median(double *v, size_t n);

#endif
