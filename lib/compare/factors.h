/*
 * factors - computes a size factor for each profile, so that weights of profiles of different
 * length can be compared.
 *
 * A function's ratio is its weight in a profile divided by the geometric mean of its weights in
 * all profiles.  The size factor of the profile is the median of these ratios, as in DESeq
 * (Anders and Huber, 2010).  One function that grows hardly changes a median.  Only functions
 * that occur in at least 90 % of the profiles are used.  If some of these functions have a weight
 * of 0 in a profile, the means use only positive weights, and the factors are scaled to a
 * geometric mean of 1.
 */
#ifndef COMPARE_FACTORS_H
#define COMPARE_FACTORS_H

#include "base/arena.h"

/*
 * Returns the factor of each profile.  Returns NULL if a profile contains none of the functions
 * that are used. `weight` has a row of nprofiles weights for each function.  If `counts` is not
 * NULL, only functions with counts[i] set are used.
 */
double *factors_find(const double *weight, const bool *counts, size_t nfunctions,
                     size_t nprofiles, struct arena *a);

#endif
