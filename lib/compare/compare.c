#include "compare/compare.h"

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

static void find_ratio(struct comparison *c, const struct compared side[2], size_t n,
                       struct arena *scratch)
{
	double *ratio = arena_new(scratch, double, n + 1);
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (side[0].self[i] > 0 && side[1].self[i] > 0 &&
		    side[0].self[i] >= LEAST_SHARE * side[0].total &&
		    side[1].self[i] >= LEAST_SHARE * side[1].total)
			ratio[k++] = side[1].self[i] / side[0].self[i];
	c->common = k;
	if (k < COMPARE_COMMON)
		return;
	c->ratio = ranks_median(ratio, k);
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
