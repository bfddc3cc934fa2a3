#include "compare/compare.h"

#include <math.h>

#include "compare/ranks.h"

static const double LEAST_SHARE = 0.001;

const char *compare_name(enum compare_unit unit)
{
	static const char *const names[] = {
		[COMPARE_NORMALIZED] = "normalized",
		[COMPARE_ABSOLUTE] = "absolute",
		[COMPARE_PER_SECOND] = "per-second",
		[COMPARE_SHARE] = "share",
	};

	return names[unit];
}

bool compare_has(double weight, double total)
{
	return weight > 0 && weight >= LEAST_SHARE * total;
}

bool compare_is_common(size_t having, size_t n)
{
	return having && having * 10 >= n * 9;
}

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

double *compare_size_factors(const double *weight, const bool *counts, size_t nfunctions,
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

double *compare_factors(const double *weight, const double *total, size_t nfunctions,
                        size_t nprofiles, size_t *common, struct arena *a)
{
	bool *counts = arena_new(a, bool, nfunctions + 1);

	*common = 0;
	for (size_t f = 0; f < nfunctions; f++) {
		size_t having = 0;

		for (size_t p = 0; p < nprofiles; p++)
			having += compare_has(weight[f * nprofiles + p], total[p]);
		counts[f] = compare_is_common(having, nprofiles);
		*common += counts[f];
	}
	if (*common < COMPARE_COMMON)
		return NULL;
	return compare_size_factors(weight, counts, nfunctions, nprofiles, a);
}

static void find_ratio(struct comparison *c, const struct compared side[2], size_t n,
                       struct arena *scratch)
{
	double *ratio = arena_new(scratch, double, n + 1);

	for (size_t i = 0; i < n; i++) {
		size_t having = 0;

		for (size_t k = 0; k < 2; k++)
			having += compare_has(side[k].self[i], side[k].total);
		if (compare_is_common(having, 2))
			ratio[c->common++] = side[1].self[i] / side[0].self[i];
	}
	if (c->common >= COMPARE_COMMON)
		c->ratio = ranks_median(ratio, c->common);
}

bool compare_begin(struct comparison *c, enum compare_unit unit,
                   const struct compared side[2], size_t n, struct arena *scratch)
{
	*c = (struct comparison){ .unit = unit };
	find_ratio(c, side, n, scratch);
	if (unit == COMPARE_NORMALIZED && c->ratio <= 0)
		c->unit = COMPARE_SHARE;
	if (unit == COMPARE_PER_SECOND && (!side[0].duration_us || !side[1].duration_us))
		return false;
	for (size_t k = 0; k < 2; k++) {
		c->factor[k] = 1;
		if (c->unit == COMPARE_NORMALIZED && k)
			c->factor[k] = 1 / c->ratio;
		else if (c->unit == COMPARE_PER_SECOND)
			c->factor[k] = 1e6 / (double)side[k].duration_us;
		else if (c->unit == COMPARE_SHARE)
			c->factor[k] = side[k].total > 0 ? 1 / side[k].total : 0;
	}
	return true;
}
