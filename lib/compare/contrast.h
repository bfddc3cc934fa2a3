/*
 * contrast - compares two groups of profiles, function by function.
 *
 * The samples of one process are correlated, so each profile gives one weight per
 * function.  Functions are chosen by their share of all profiles, without a look at the
 * groups.  Their weights are divided by the size factor of the profile
 * (compare/factors.h) and tested (compare/ranks.h), and the rate of false discoveries is
 * controlled.
 */
#ifndef COMPARE_CONTRAST_H
#define COMPARE_CONTRAST_H

#include "base/intern.h"
#include "compare/compare.h"
#include "compare/ranks.h"

struct contrast_opts {
	enum compare_unit unit;
	/* least share of the weight of all profiles with which a function is tested */
	double min_share;
	double fdr;   /* rate of false discoveries */
	double noise; /* deviation between profiles as a share of the weight, or 0 */
	/* number of functions to test, the heaviest first, or 0 for all */
	size_t most;
};

/* The arrays must live as long as the comparison. */
struct contrast_profile {
	bool is_new;
	double total;
	double seconds; /* 0: unknown */
	str_id *name;   /* the functions that have a weight, without repetition */
	double *weight;
	size_t n;
	/* indexed by gate: weight of the gate in this profile, set by the caller */
	double *gate;
};

struct contrast {
	struct contrast_opts opts;
	struct arena *arena;
	struct interner names; /* of functions */
	struct contrast_profile *profile;
	size_t n, cap, nold;
};

enum verdict {
	VERDICT_NO_CHANGE,
	VERDICT_GREW,
	VERDICT_SHRANK,
	VERDICT_TOO_FEW,
	VERDICTS
};

/* The result for a function.  Weights are per profile, in the unit of the findings. */
struct change {
	str_id name;
	double old, new;         /* medians of the groups */
	double shift, low, high; /* estimate of new - old, and its interval */
	double p, q;
	double detectable; /* smallest shift that these profiles can show; 0: unknown */
	enum verdict verdict;
};

struct findings {
	/* unit of the results: COMPARE_SHARE if there are no size factors */
	enum compare_unit unit;
	double *divisor;    /* divisor[i] divides the weights of profile i */
	size_t common;      /* number of functions that give the size factors */
	struct change *row; /* sorted by size of the shift, the largest first */
	size_t nrows;
	/* private: a row of weights by profile for each function */
	double *weight;
	/* private: indexed by name: the row in `weight` + 1, or 0 */
	uint32_t *place;
	/* change of the totals, which are divided only with COMPARE_PER_SECOND */
	struct change overall;
	bool few;      /* true if there are too few profiles for a verdict */
	size_t needed; /* profiles that each group needs for a verdict */
	/* profiles that each group needs if only one test is made */
	size_t needed_for_one;
	/* slices of each recording if the intervals come from slices, or 0 */
	size_t within;
};

void contrast_init(struct contrast *c, const struct contrast_opts *opts,
                   struct arena *arena);

/* Adds a profile.  The result is valid until the next profile is added. */
struct contrast_profile *contrast_add(struct contrast *c, bool is_new);

/* Tests all functions.  Both groups must have a profile.  The results live in arena. */
void contrast_run(const struct contrast *c, struct findings *out, struct arena *arena);

/*
 * Makes one test that the user chose before the numbers were known.  `raw` has a weight for each
 * profile, which is divided by the divisor in `out`.
 */
struct change contrast_test(const struct contrast *c, const struct findings *out,
                            const double *raw);

/*
 * Takes the intervals of the rows from slices of equal size of the one old and the one new
 * recording.  Such intervals hold within these runs only, so there is still no verdict.
 */
void contrast_within(const struct contrast *slices, struct findings *out,
                     struct arena *arena);

/* Adds the weights of a function that has a row to sum, by profile. */
void contrast_sum(const struct contrast *c, const struct findings *out, str_id name,
                  double *sum);

/* Returns 100 * shift / old.  If old is 0, returns 0 or an infinity. */
double contrast_percent(const struct change *ch, double shift);

/* Returns "grew", "shrank", "no change seen" or "too little data". */
const char *contrast_word(enum verdict v);

/*
 * Sets *v to the verdict that contrast_word spells as `word`.  Returns false for other words.
 */
bool contrast_verdict(struct str word, enum verdict *v);

#endif
