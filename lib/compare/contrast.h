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
	double min_share; /* share of all profiles that a function needs */
	double fdr;       /* rate of false discoveries */
	double noise;     /* deviation between profiles as a share of the weight, or 0 */
	size_t most;      /* number of functions to test, the heaviest; 0: all */
};

/* The arrays must live as long as the comparison. */
struct contrast_profile {
	bool is_new;
	double total;
	double seconds; /* 0: unknown */
	str_id *name;   /* each function with a weight, once */
	double *weight;
	size_t n;
	double *gate; /* by gate: its weight; set by the caller */
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
	enum compare_unit unit; /* COMPARE_SHARE if the factors cannot be found */
	double *divisor;        /* by profile: divides its weights */
	size_t common;          /* number of functions that give the size factors */
	struct change *row;     /* sorted by size of the shift, the largest first */
	size_t nrows;
	double *weight;        /* private: by function and profile */
	uint32_t *place;       /* private: by name, the row of weight + 1 */
	struct change overall; /* of the totals; only COMPARE_PER_SECOND divides them */
	bool few;              /* too few profiles for a verdict */
	size_t needed;         /* profiles that each group needs for a verdict */
	size_t needed_for_one; /* the same for a single test */
	size_t within; /* slices of each recording that give the intervals, or 0 */
};

void contrast_init(struct contrast *c, const struct contrast_opts *opts,
                   struct arena *arena);

/* Adds a profile.  The result is valid until the next profile is added. */
struct contrast_profile *contrast_add(struct contrast *c, bool is_new);

/* Tests all functions.  Both groups must have a profile.  The results live in arena. */
void contrast_run(const struct contrast *c, struct findings *out, struct arena *arena);

/*
 * Makes one test that was chosen before the look at the numbers.  raw has a weight for
 * each profile.  The divisors in `out` scale the weights.
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

/* Sets *v to the verdict with that word.  Returns false for other words. */
bool contrast_verdict(struct str word, enum verdict *v);

#endif
