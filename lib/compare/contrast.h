/*
 * contrast - compares two groups of profiles, function by function.
 *
 * The samples of one process are correlated, so each profile gives one weight per function.  A
 * function is tested if its share of the weight of all profiles is large enough.  The groups do
 * not influence this choice.  The weights of a function are divided by the size factors of the
 * profiles (compare_size_factors) and tested (compare/ranks.h).  The p-values are adjusted so that
 * the rate of false discoveries is limited.
 */
#ifndef COMPARE_CONTRAST_H
#define COMPARE_CONTRAST_H

#include "base/intern.h"
#include "compare/compare.h"
#include "compare/ranks.h"

struct contrast_opts {
	enum compare_unit unit;
	/* minimum share of the weight of all profiles that a tested function has */
	double min_share;
	double fdr; /* accepted rate of false discoveries */
	/* standard deviation between equal profiles, as a share of the weight, or 0 */
	double noise;
	/* number of functions to test, the heaviest first, or 0 for all */
	size_t most;
};

/* The weights of one profile.  The arrays must live as long as the comparison. */
struct contrast_profile {
	bool is_new;
	double total;
	double seconds; /* 0: unknown */
	str_id *name;   /* the functions that have a weight, each once */
	double *weight;
	size_t n;
	/* indexed by gate: weight of the gate in this profile, set by the caller */
	double *gate;
};

struct contrast {
	struct contrast_opts opts;
	struct arena *arena;
	struct interner names; /* names of functions */
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
	double detectable; /* smallest shift that a test of these profiles can detect, or 0 */
	enum verdict verdict;
};

struct findings {
	/* unit of the results.  COMPARE_SHARE if size factors were requested and do not exist */
	enum compare_unit unit;
	double *divisor; /* divisor[i] divides the weights of profile i */
	size_t common; /* number of functions from which the size factors were computed */
	struct change *row; /* sorted by size of the shift, the largest first */
	size_t nrows;
	/* private: for each function, a row with a weight for each profile */
	double *weight;
	/* private: indexed by name: the row in `weight` + 1, or 0 */
	uint32_t *place;
	/*
	 * change of the totals.  With COMPARE_PER_SECOND, the totals are divided by the
	 * durations
	 */
	struct change overall;
	bool few;      /* true if there are too few profiles for a verdict */
	size_t needed; /* number of profiles that each group needs for a verdict */
	/* number of profiles that each group needs if there is only one test */
	size_t needed_for_one;
	/* number of slices of each recording if the intervals were computed from slices, or 0 */
	size_t within;
};

void contrast_init(struct contrast *c, const struct contrast_opts *opts,
                   struct arena *arena);

/* Adds a profile.  The result is valid until the next profile is added. */
struct contrast_profile *contrast_add(struct contrast *c, bool is_new);

/* Tests all functions.  Both groups must have a profile.  The results live in arena. */
void contrast_run(const struct contrast *c, struct findings *out, struct arena *arena);

/*
 * Tests a limit.  The user chose it before seeing the results, so no correction for several tests
 * is needed.  `raw` has a weight for each profile, which is divided by out->divisor.
 */
struct change contrast_test(const struct contrast *c, const struct findings *out,
                            const double *raw);

/*
 * If each group has only one recording, computes the intervals of the rows from slices of the
 * recordings.  Slices of a recording have equal sizes.  The intervals describe only the two
 * recordings, so they allow no verdict.
 */
void contrast_within(const struct contrast *slices, struct findings *out,
                     struct arena *arena);

/* Adds the weight of a function in profile i to sum[i].  The function must have a row. */
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
