#include "compare/contrast.h"

#include <math.h>

static const double level = 0.95;

void contrast_init(struct contrast *c, const struct contrast_opts *opts,
                   struct arena *arena)
{
	*c = (struct contrast){ .opts = *opts, .arena = arena };
	intern_init(&c->names, arena);
}

struct contrast_profile *contrast_add(struct contrast *c, bool is_new)
{
	struct contrast_profile *p;

	p = arena_push(c->arena, c->profile, c->n, c->cap);
	*p = (struct contrast_profile){ .is_new = is_new };
	c->nold += !is_new;
	return p;
}

ORDER(heavier, double, num_cmp(*b, *a))

/*
 * Returns the least weight that a function must have to be one of the `most` heaviest
 * functions.  Returns 0 if all functions are tested.
 */
static double least_weight(const double *pooled, size_t n, size_t most, struct arena *a)
{
	double *copy;

	if (!most || most >= n)
		return 0;
	copy = arena_new(a, double, n);
	for (size_t i = 0; i < n; i++)
		copy[i] = pooled[i];
	order_by(copy, n, heavier);
	return copy[most - 1];
}

/*
 * Returns an array indexed by name: the row of the function + 1, or 0.  The functions in the
 * first *n rows are heavy enough to be tested.  The following rows, up to *all_rows, are used
 * only for size factors.
 */
static uint32_t *choose_rows(const struct contrast *c, size_t *n, size_t *all_rows,
                             struct arena *a)
{
	double *pooled = arena_new(a, double, c->names.n + 1), all = 0;
	uint32_t *row = arena_new(a, uint32_t, c->names.n + 1);
	uint32_t *having = arena_new(a, uint32_t, c->names.n + 1);

	for (const struct contrast_profile *p = c->profile; p < c->profile + c->n; p++) {
		all += p->total;
		for (size_t k = 0; k < p->n; k++) {
			pooled[p->name[k]] += p->weight[k];
			having[p->name[k]] += compare_has(p->weight[k], p->total);
		}
	}
	*n = 0;
	all = fmax(c->opts.min_share * all,
	           least_weight(pooled, c->names.n, c->opts.most, a));
	for (size_t i = 0; i < c->names.n; i++)
		if (pooled[i] > 0 && pooled[i] >= all)
			row[i] = (uint32_t)++ * n;
	*all_rows = *n;
	for (size_t i = 0; i < c->names.n; i++)
		if (!row[i] && compare_is_common(having[i], c->n))
			row[i] = (uint32_t)++ * all_rows;
	return row;
}

static double *fill(const struct contrast *c, const uint32_t *row, size_t n,
                    struct arena *a)
{
	double *weight = arena_new(a, double, n * c->n);

	for (size_t i = 0; i < c->n; i++) {
		const struct contrast_profile *p = &c->profile[i];

		for (size_t k = 0; k < p->n; k++) {
			size_t at = row[p->name[k]];

			if (at && at <= n)
				weight[(at - 1) * c->n + i] += p->weight[k];
		}
	}
	return weight;
}

/* Sets out->divisor: the divisor for the weights of each profile. */
static void find_divisors(const struct contrast *c, struct findings *out, size_t n,
                          struct arena *a)
{
	double *total = arena_new(a, double, c->n), *factor = NULL;

	for (size_t i = 0; i < c->n; i++)
		total[i] = c->profile[i].total;
	out->unit = c->opts.unit;
	if (out->unit == COMPARE_NORMALIZED) {
		factor = compare_factors(out->weight, total, n, c->n, &out->common, a);
		if (!factor)
			out->unit = COMPARE_SHARE;
	}
	out->divisor = arena_new(a, double, c->n);
	for (size_t i = 0; i < c->n; i++)
		switch (out->unit) {
		case COMPARE_NORMALIZED:
			out->divisor[i] = factor[i];
			break;
		case COMPARE_SHARE:
			out->divisor[i] = c->profile[i].total;
			break;
		case COMPARE_PER_SECOND:
			out->divisor[i] = c->profile[i].seconds;
			break;
		default:
			out->divisor[i] = 1;
		}
}

/* The values of one test: a value for each profile of the two groups. */
struct sides {
	double *old, *new;
	size_t nold, nnew;
};

static void divide(const struct contrast *c, struct sides *s, const double *raw,
                   const double *divisor, struct arena *a)
{
	s->old = arena_new(a, double, c->n);
	s->new = arena_new(a, double, c->n);
	s->nold = s->nnew = 0;
	for (size_t i = 0; i < c->n; i++) {
		double v = divisor && divisor[i] > 0 ? raw[i] / divisor[i] : raw[i];

		if (c->profile[i].is_new)
			s->new[s->nnew++] = v;
		else
			s->old[s->nold++] = v;
	}
}

/* Returns the sum of the squared differences from the mean. */
static double scatter(const double *v, size_t n)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sum;
}

/*
 * Returns the smallest shift that a test at level alpha detects with a probability of 80 %.
 * 0.955 is the efficiency of a rank test relative to a t-test.
 */
static double find_least_shift(const struct sides *s, double deviation, double alpha)
{
	double z = ranks_normal_quantile(1 - alpha / 2) + ranks_normal_quantile(0.8);

	return z * deviation *
	       sqrt((1.0 / (double)s->nold + 1.0 / (double)s->nnew) / 0.955);
}

/*
 * Tests with the noise that the user gave.  Assumes that the logarithm of the ratio new / old
 * has a normal distribution.
 */
static void test_by_noise(struct change *ch, const struct sides *s, double noise)
{
	double deviation = noise * sqrt(1.0 / (double)s->nold + 1.0 / (double)s->nnew);
	double z = ranks_normal_quantile(0.5 + level / 2), ratio;

	ch->shift = ch->new - ch->old;
	if (!(ch->old > 0 && ch->new > 0)) {
		ch->low = ch->high = ch->shift;
		ch->p = ch->old > 0 || ch->new > 0 ? 0 : 1;
		return;
	}
	ratio = log(ch->new / ch->old);
	ch->p = 2 * ranks_normal(-fabs(ratio) / deviation);
	ch->low = ch->old * expm1(ratio - z * deviation);
	ch->high = ch->old * expm1(ratio + z * deviation);
}

/*
 * Tests one function.  `raw` has its weight in each profile.  `alpha` is the level of the test,
 * corrected for the number of tests.
 */
static struct change test(const struct contrast *c, const double *raw,
                          const double *divisor, double alpha)
{
	arena_scope(scratch);
	double noise = c->opts.noise;
	struct change ch = { 0 };
	struct sides s;
	bool few;

	divide(c, &s, raw, divisor, &scratch);
	few = ranks_least_p(s.nold, s.nnew) > alpha;
	if (!few || !(noise > 0)) {
		struct ranks_result r =
		        ranks_compare(s.old, s.nold, s.new, s.nnew, level, &scratch);

		ch.shift = r.shift;
		ch.low = r.low;
		ch.high = r.high;
		ch.p = r.p;
		if (!few)
			ch.detectable = find_least_shift(
			        &s,
			        sqrt((scatter(s.old, s.nold) + scatter(s.new, s.nnew)) /
			             (double)(s.nold + s.nnew - 2)),
			        alpha);
	}
	ch.old = ranks_median(s.old, s.nold);
	ch.new = ranks_median(s.new, s.nnew);
	if (few && noise > 0) {
		test_by_noise(&ch, &s, noise);
		ch.detectable = find_least_shift(&s, noise * ch.old, alpha);
		few = false;
	}
	if (few)
		ch.verdict = VERDICT_TOO_FEW;
	return ch;
}

/* Sets the verdict of a single test. */
static struct change judge_one(struct change ch)
{
	ch.q = ch.p;
	if (ch.verdict != VERDICT_TOO_FEW && ch.p <= 1 - level)
		ch.verdict = ch.shift > 0 ? VERDICT_GREW : VERDICT_SHRANK;
	return ch;
}

struct change contrast_test(const struct contrast *c, const struct findings *out,
                            const double *raw)
{
	return judge_one(test(c, raw, out->divisor, 1 - level));
}

/*
 * Tests the total weights.  If all functions grow by the same factor, the size factors grow,
 * too, and the quotients do not change.  Only the totals show such a change.
 */
static struct change test_totals(const struct contrast *c, struct arena *a)
{
	double *total = arena_new(a, double, c->n), *seconds = NULL;

	if (c->opts.unit == COMPARE_PER_SECOND)
		seconds = arena_new(a, double, c->n);
	for (size_t i = 0; i < c->n; i++) {
		total[i] = c->profile[i].total;
		if (seconds)
			seconds[i] = c->profile[i].seconds;
	}
	return judge_one(test(c, total, seconds, 1 - level));
}

ORDER(by_effect, struct change,
      num_cmp(fabs(b->shift), fabs(a->shift)) ?: num_cmp(a->name, b->name))

/*
 * Returns the level of the test of one function, corrected for the number of functions.
 */
static double alpha_of(const struct contrast *c, const struct findings *out)
{
	return c->opts.fdr / (double)(out->nrows ? out->nrows : 1);
}

void contrast_run(const struct contrast *c, struct findings *out, struct arena *arena)
{
	double alpha, *p, *q;
	size_t all_rows;

	*out = (struct findings){ .needed_for_one = ranks_needed(1 - level) };
	out->place = choose_rows(c, &out->nrows, &all_rows, arena);
	out->weight = fill(c, out->place, all_rows, arena);
	out->row = arena_new(arena, struct change, out->nrows + 1);
	find_divisors(c, out, all_rows, arena);
	alpha = alpha_of(c, out);
	out->needed = ranks_needed(alpha);
	out->few = ranks_least_p(c->nold, c->n - c->nold) > alpha && !(c->opts.noise > 0);
	p = arena_new(arena, double, out->nrows + 1);
	for (size_t name = 0; name < c->names.n; name++) {
		size_t at = out->place[name] - 1;

		if (!out->place[name] || at >= out->nrows)
			continue;
		out->row[at] = test(c, out->weight + at * c->n, out->divisor, alpha);
		out->row[at].name = (str_id)name;
		p[at] = out->row[at].p;
	}
	q = ranks_adjust(p, out->nrows, arena);
	for (size_t i = 0; i < out->nrows; i++) {
		struct change *ch = &out->row[i];

		ch->q = q[i];
		if (ch->verdict != VERDICT_TOO_FEW && ch->q <= c->opts.fdr)
			ch->verdict = ch->shift > 0 ? VERDICT_GREW : VERDICT_SHRANK;
	}
	out->overall = test_totals(c, arena);
	order_by(out->row, out->nrows, by_effect);
}

/*
 * Returns the divisor of each slice: the total of the slice for COMPARE_SHARE, the duration of
 * the slice for COMPARE_PER_SECOND, and the divisor of its recording for other units.
 */
static double *divisors_of_slices(const struct contrast *slices,
                                  const struct findings *out, struct arena *a)
{
	double *divisor = arena_new(a, double, slices->n);

	for (size_t i = 0; i < slices->n; i++) {
		const struct contrast_profile *p = &slices->profile[i];

		divisor[i] = out->unit == COMPARE_SHARE        ? p->total
		             : out->unit == COMPARE_PER_SECOND ? p->seconds
		                                               : out->divisor[p->is_new];
	}
	return divisor;
}

void contrast_within(const struct contrast *slices, struct findings *out,
                     struct arena *arena)
{
	double *weight = fill(slices, out->place, out->nrows, arena);
	double *divisor = divisors_of_slices(slices, out, arena);
	/*
	 * A slice has only a part of its recording's weight, so weights are scaled up.
	 * Rates need no scaling.
	 */
	bool rate = out->unit == COMPARE_SHARE || out->unit == COMPARE_PER_SECOND;
	double parts = rate ? 1 : (double)slices->nold;

	for (struct change *to = out->row; to < out->row + out->nrows; to++) {
		const double *raw = weight + (out->place[to->name] - 1) * slices->n;
		struct change ch = test(slices, raw, divisor, alpha_of(slices, out));

		to->low = parts * ch.low;
		to->high = parts * ch.high;
		to->detectable = parts * ch.detectable;
	}
	out->within = slices->nold;
}

void contrast_sum(const struct contrast *c, const struct findings *out, str_id name,
                  double *sum)
{
	const double *weight = out->weight + (out->place[name] - 1) * c->n;

	for (size_t k = 0; k < c->n; k++)
		sum[k] += weight[k];
}

/* Limits a decrease to 100 %, because the estimated decrease may exceed the old median. */
double contrast_percent(const struct change *ch, double shift)
{
	if (shift == 0)
		return 0;
	return ch->old > 0 ? fmax(-100, 100 * shift / ch->old)
	                   : copysign(INFINITY, shift);
}

const char *contrast_word(enum verdict v)
{
	static const char *const words[] = {
		[VERDICT_NO_CHANGE] = "no change seen",
		[VERDICT_GREW] = "grew",
		[VERDICT_SHRANK] = "shrank",
		[VERDICT_TOO_FEW] = "too little data",
	};

	return words[v];
}

bool contrast_verdict(struct str word, enum verdict *v)
{
	for (*v = 0; *v < VERDICTS; ++*v)
		if (str_eq(word, str_of(contrast_word(*v))))
			return true;
	return false;
}
