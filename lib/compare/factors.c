#include "compare/factors.h"

#include <math.h>

#include "compare/ranks.h"

/*
 * Sets *mean to the logarithm of the geometric mean of a row's positive weights.  Returns false
 * if too few weights are positive.
 */
static bool mean_of(const double *row, size_t n, double *mean, bool *zeros)
{
	size_t positive = 0;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		if (row[i] > 0) {
			positive++;
			sum += log(row[i]);
		}
	if (!positive || positive * 10 < n * 9)
		return false;
	*zeros |= positive < n;
	*mean = sum / (double)positive;
	return true;
}

double *factors_find(const double *weight, const bool *counts, size_t nfunctions,
                     size_t nprofiles, struct arena *a)
{
	double *factor = arena_new(a, double, nprofiles), logs = 0;
	double *mean = arena_new(a, double, nfunctions);
	double *ratio = arena_new(a, double, nfunctions);
	size_t *row = arena_new(a, size_t, nfunctions), rows = 0;
	bool zeros = false;

	for (size_t f = 0; f < nfunctions; f++)
		if ((!counts || counts[f]) &&
		    mean_of(weight + f * nprofiles, nprofiles, &mean[rows], &zeros))
			row[rows++] = f;
	for (size_t p = 0; p < nprofiles; p++) {
		size_t n = 0;

		for (size_t i = 0; i < rows; i++) {
			double w = weight[row[i] * nprofiles + p];

			if (w > 0)
				ratio[n++] = log(w) - mean[i];
		}
		if (!n)
			return NULL;
		factor[p] = exp(ranks_median(ratio, n));
		logs += log(factor[p]);
	}
	for (size_t p = 0; zeros && p < nprofiles; p++)
		factor[p] /= exp(logs / (double)nprofiles);
	return factor;
}
