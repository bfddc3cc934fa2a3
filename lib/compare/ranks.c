#include "compare/ranks.h"

#include <float.h>
#include <math.h>

enum { EXACT_BELOW = 50 };

/* Two sorted groups, and the parameters of the equation that find_shift solves. */
struct groups {
	const double *x, *y; /* new and old */
	size_t m, n;
	bool continuity; /* use the correction for continuity */
	double quantile;
};

ORDER(by_value, double, num_cmp(*a, *b))

static double *sorted(const double *v, size_t n, struct arena *a)
{
	double *copy = arena_new(a, double, n);

	for (size_t i = 0; i < n; i++)
		copy[i] = v[i];
	order_by(copy, n, by_value);
	return copy;
}

static double middle(const double *v, size_t n)
{
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

double ranks_median(double *v, size_t n)
{
	order_by(v, n, by_value);
	return n ? middle(v, n) : 0;
}

double ranks_normal(double x)
{
	return 0.5 * erfc(-x / sqrt(2));
}

/* Bisection is fast enough for the few quantiles of a run. */
double ranks_normal_quantile(double probability)
{
	double low = -40, high = 40;

	for (int i = 0; i < 120; i++) {
		double at = (low + high) / 2;

		if (ranks_normal(at) < probability)
			low = at;
		else
			high = at;
	}
	return (low + high) / 2;
}

/*
 * Subtracts d from the numbers in x, and ranks the results together with the numbers in y.
 * Returns the sum of the ranks of x, minus the smallest possible sum.  Sets *ties to the sum of
 * t^3 - t, where t is the size of each set of equal numbers.
 */
static double rank_sum(const struct groups *g, double d, double *ties)
{
	size_t i = 0, j = 0;
	double sum = 0;

	*ties = 0;
	while (i < g->m || j < g->n) {
		double v = i < g->m ? g->x[i] - d : INFINITY, first, t;
		size_t in_x = 0, in_y = 0;

		if (j < g->n && g->y[j] < v)
			v = g->y[j];
		first = (double)(i + j);
		for (; i < g->m && g->x[i] - d == v; i++)
			in_x++;
		for (; j < g->n && g->y[j] == v; j++)
			in_y++;
		if (!in_x && !in_y) /* v is NaN */
			break;
		t = (double)(in_x + in_y);
		sum += (double)in_x * (first + (t + 1) / 2);
		*ties += t * t * t - t;
	}
	return sum - (double)g->m * ((double)g->m + 1) / 2;
}

/* Returns the standardized rank sum of x - d, minus g->quantile. */
static double deviate(const struct groups *g, double d)
{
	double m = (double)g->m, n = (double)g->n, ties;
	double z = rank_sum(g, d, &ties) - m * n / 2;
	double sigma = sqrt(m * n / 12 * (m + n + 1 - ties / ((m + n) * (m + n - 1))));

	if (g->continuity && z != 0)
		z -= z > 0 ? 0.5 : -0.5;
	if (!(sigma > 0))
		return -g->quantile;
	return z / sigma - g->quantile;
}

/*
 * Brent's method: `b` and `c` enclose the root, and `b` is the better estimate.  `a` is the
 * previous `b`.
 */
struct search {
	double a, b, c, fa, fb, fc;
};

static double step_of(const struct search *s, double least)
{
	double half = (s->c - s->b) / 2, span = s->c - s->b, before = s->b - s->a;
	double p, q, r = s->fb / s->fa;

	if (fabs(before) < least || fabs(s->fa) <= fabs(s->fb))
		return half;
	if (s->a == s->c) {
		p = span * r;
		q = 1 - r;
	} else {
		double u = s->fa / s->fc, v = s->fb / s->fc;

		p = r * (span * u * (u - v) - before * (v - 1));
		q = (u - 1) * (v - 1) * (r - 1);
	}
	if (p > 0)
		q = -q;
	else
		p = -p;
	return p < 0.75 * span * q - fabs(least * q) / 2 && p < fabs(before * q / 2)
	               ? p / q
	               : half;
}

/* Returns the d from low to high for which deviate() is 0.  deviate() falls as d grows. */
static double find_shift(const struct groups *g, double low, double high)
{
	struct search s = { .a = low, .b = high, .fa = deviate(g, low) };
	double tolerance = 1e-9 * (high - low);

	s.fb = deviate(g, high);
	if (s.fa <= 0)
		return low;
	if (s.fb >= 0)
		return high;
	s.c = s.a;
	s.fc = s.fa;
	for (int i = 0; i < 1000; i++) {
		double least, step;

		if (fabs(s.fc) < fabs(s.fb)) {
			s.a = s.b, s.b = s.c, s.c = s.a;
			s.fa = s.fb, s.fb = s.fc, s.fc = s.fa;
		}
		least = 2 * DBL_EPSILON * fabs(s.b) + tolerance / 2;
		if (fabs(s.c - s.b) / 2 <= least || s.fb == 0)
			break;
		step = step_of(&s, least);
		if (fabs(step) < least)
			step = step > 0 ? least : -least;
		s.a = s.b, s.fa = s.fb;
		s.b += step;
		s.fb = deviate(g, s.b);
		if ((s.fb > 0) == (s.fc > 0) && s.fb != 0) {
			s.c = s.a;
			s.fc = s.fa;
		}
	}
	return s.b;
}

static struct ranks_result approximate(struct groups g, double alpha)
{
	double low = g.x[0] - g.y[g.n - 1], high = g.x[g.m - 1] - g.y[0], z;
	struct ranks_result r;

	g.continuity = true;
	g.quantile = 0;
	z = deviate(&g, 0);
	r.p = fmin(1, 2 * ranks_normal(-fabs(z)));
	g.quantile = ranks_normal_quantile(1 - alpha / 2);
	r.low = find_shift(&g, low, high);
	g.quantile = -g.quantile;
	r.high = find_shift(&g, low, high);
	g.quantile = 0;
	g.continuity = false;
	r.shift = find_shift(&g, low, high);
	return r;
}

/*
 * Returns an array indexed by rank sum, up to half of the largest sum.  Each element is the
 * number of ways to choose m of m + n ranks with that sum.  The elements are the coefficients of
 * the Gaussian binomial: the product of (1 - q^(n + i)) / (1 - q^i) for each i from 1 to m.
 */
static double *count_ways(size_t m, size_t n, struct arena *a)
{
	size_t half = m * n / 2;
	double *ways = arena_new(a, double, half + 1);

	ways[0] = 1;
	for (size_t i = 1; i <= m; i++) {
		for (size_t k = half; k >= n + i; k--)
			ways[k] -= ways[k - n - i];
		for (size_t k = i; k <= half; k++)
			ways[k] += ways[k - i];
	}
	return ways;
}

static double choose(size_t n, size_t k)
{
	double ways = 1;

	for (size_t i = 1; i <= k; i++)
		ways = ways * (double)(n - k + i) / (double)i;
	return ways;
}

static struct ranks_result exact(const struct groups *g, double w, double alpha,
                                 struct arena *a)
{
	size_t pairs = g->m * g->n, k = 0, at, q = 0;
	double *ways = count_ways(g->m, g->n, a), all = choose(g->m + g->n, g->m);
	double *diffs = arena_new(a, double, pairs), sum = 0;
	struct ranks_result r;

	at = (size_t)fmin(w, (double)pairs - w);
	for (size_t i = 0; i <= at; i++)
		sum += ways[i];
	r.p = fmin(1, 2 * sum / all);
	for (sum = ways[0]; sum / all < alpha / 2 - 10 * DBL_EPSILON; sum += ways[q])
		q++;
	q += q == 0;
	for (size_t i = 0; i < g->m; i++)
		for (size_t j = 0; j < g->n; j++)
			diffs[k++] = g->x[i] - g->y[j];
	order_by(diffs, pairs, by_value);
	r.low = diffs[q - 1];
	r.high = diffs[pairs - q];
	r.shift = middle(diffs, pairs);
	return r;
}

struct ranks_result ranks_compare(const double *old, size_t nold, const double *new,
                                  size_t nnew, double level, struct arena *scratch)
{
	struct groups g = { sorted(new, nnew, scratch),
		            sorted(old, nold, scratch),
		            nnew,
		            nold,
		            false,
		            0 };
	double ties, w = rank_sum(&g, 0, &ties);

	if (ties == 0 && nold < EXACT_BELOW && nnew < EXACT_BELOW)
		return exact(&g, w, 1 - level, scratch);
	return approximate(g, 1 - level);
}

double ranks_least_p(size_t nold, size_t nnew)
{
	return fmin(1, 2 / choose(nold + nnew, nnew));
}

size_t ranks_needed(double p)
{
	size_t n = 1;

	while (n < 1000 && ranks_least_p(n, n) > p)
		n++;
	return n;
}

struct ordered {
	double p;
	size_t at;
};

ORDER(by_p, struct ordered, num_cmp(a->p, b->p))

double *ranks_adjust(const double *p, size_t n, struct arena *a)
{
	struct ordered *order = arena_new(a, struct ordered, n);
	double *q = arena_new(a, double, n), least = 1;

	for (size_t i = 0; i < n; i++)
		order[i] = (struct ordered){ p[i], i };
	order_by(order, n, by_p);
	for (size_t i = n; i-- > 0;) {
		least = fmin(least, order[i].p * (double)n / (double)(i + 1));
		q[order[i].at] = least;
	}
	return q;
}
