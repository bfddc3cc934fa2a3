/*
 * contrast - two groups of profiles, function by function.
 *
 * The unit is the profile, because the samples of one process are correlated.  Each profile gives
 * one weight per function.  Functions are chosen by their share of all profiles, without a look at
 * the groups.  Their weights are divided by the size factor of the profile (compare/factors.h) and
 * tested (compare/ranks.h), and the rate of false discoveries is controlled.
 */
#ifndef COMPARE_CONTRAST_H
#define COMPARE_CONTRAST_H

#include "base/intern.h"
#include "compare/compare.h"
#include "compare/ranks.h"

struct contrast_opts {
	enum compare_unit unit;
	double min_share; /* of all profiles, that a function needs; 0.001 */
	double fdr;       /* rate of false discoveries; 0.05 */
	double noise; /* deviation between profiles, a share of the weight; 0: unknown */
	size_t most;  /* functions, the heaviest ones; 0: all */
};

/* Arrays live as long as the comparison. */
struct contrast_profile {
	bool is_new;
	double total;
	double seconds; /* 0: unknown */
	str_id *name;   /* functions with a weight, each once */
	double *weight;
	size_t n;
	double *gate; /* the weight of each gate, for the caller */
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

/* Weights are of one profile, in the unit. */
struct change {
	str_id name;
	double old, new;         /* medians */
	double shift, low, high; /* new - old, with its interval */
	double p, q;
	double detectable; /* smallest shift that these profiles can show; 0: unknown */
	enum verdict verdict;
};

struct findings {
	enum compare_unit unit; /* shares, if factors could not be found */
	double *divisor;        /* of each profile */
	size_t common;          /* functions that size factors are from */
	struct change *row;     /* by effect, the largest first */
	size_t nrows;
	double *weight;        /* private: of each profile, a row for each function */
	uint32_t *place;       /* private: by name, the row of weight + 1 */
	struct change overall; /* of the totals, not divided but by durations */
	bool few;              /* too few profiles for a verdict */
	size_t needed;         /* on each side */
	size_t needed_for_one; /* for a single test */
	size_t within; /* intervals are of so many slices of each recording; 0: of profiles */
};

void contrast_init(struct contrast *c, const struct contrast_opts *opts,
                   struct arena *arena);

/* Adds a profile.  Returns its place, until the next one is added. */
struct contrast_profile *contrast_add(struct contrast *c, bool is_new);

/* Both groups have a profile.  Rows have different names.  Results live in arena. */
void contrast_run(const struct contrast *c, struct findings *out, struct arena *arena);

/*
 * One test that was chosen before the look at the numbers.  raw has a weight for each profile,
 * which `out` scales.
 */
struct change contrast_test(const struct contrast *c, const struct findings *out,
                            const double *raw);

/*
 * Takes the intervals of the rows from slices of equal size of the one old and the one new
 * recording.  Such intervals hold within these runs only, so there is still no verdict.
 */
void contrast_within(const struct contrast *slices, struct findings *out,
                     struct arena *arena);

/* Adds the weights of a row's function to sum, which has a number for each profile. */
void contrast_sum(const struct contrast *c, const struct findings *out, str_id name,
                  double *sum);

/* Returns 100 * shift / old, or INFINITY from 0. */
double contrast_percent(const struct change *ch, double shift);

/* "grew", "shrank", "no change seen", "too little data" */
const char *contrast_word(enum verdict v);

/* Sets the verdict with that word.  Returns false for other words. */
bool contrast_verdict(struct str word, enum verdict *v);

#endif
