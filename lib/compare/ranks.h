/*
 * ranks - tests whether two groups of numbers differ.
 *
 * Uses the two-sided Mann-Whitney test, and the Hodges-Lehmann estimate of the shift with its
 * confidence interval.  The results are those of wilcox.test(new, old, conf.int = TRUE) in R:
 * exact for groups below 50 without ties, else the normal approximation with corrections for ties
 * and continuity.
 */
#ifndef COMPARE_RANKS_H
#define COMPARE_RANKS_H

#include "base/arena.h"

struct ranks_result {
	/* p-value of the hypothesis that both groups have the same distribution */
	double p;
	double shift;     /* estimate of new - old */
	double low, high; /* confidence interval of shift */
};

/* Compares two groups that are not empty.  The interval has the confidence `level`. */
struct ranks_result ranks_compare(const double *old, size_t nold, const double *new,
                                  size_t nnew, double level, struct arena *scratch);

/* Returns the smallest p that groups of these sizes can have, at most 1. */
double ranks_least_p(size_t nold, size_t nnew);

/* Returns the smallest size of two equal groups for which a p-value of at most p is possible. */
size_t ranks_needed(double p);

/* Returns the value x that a standard normal variable does not exceed with this probability. */
double ranks_normal_quantile(double probability);

/* Returns the probability that a standard normal variable is at most x. */
double ranks_normal(double x);

/* Returns the p-values, adjusted by the method of Benjamini and Hochberg. */
double *ranks_adjust(const double *p, size_t n, struct arena *a);

/* Returns the median.  Sorts v. */
double ranks_median(double *v, size_t n);

#endif
