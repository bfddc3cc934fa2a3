#include "compare/moved.h"

#include <math.h>

enum { PARTNERS = 4 };

/*
 * If cost moves between functions, the sum of their weights must not change by more than
 * `tolerance` times the weight that moved.  A function is below a caller if at least the share
 * `containment` of its self weight is in stacks with the caller.
 */
static const double tolerance = 0.2, containment = 0.9;

void moved_init(struct moved_stacks *s, struct arena *arena)
{
	*s = (struct moved_stacks){ 0 };
	stack_init(&s->stacks, arena);
}

void moved_add(struct moved_stacks *s, stack_id id, bool is_new, double weight)
{
	arena_fit(s->stacks.arena, s->weight[is_new], id + 1, s->cap[is_new]);
	s->weight[is_new][id] += weight;
}

/*
 * Returns an array indexed by name of a caller: the share of the self weight of function `name`
 * that is in stacks with this caller.
 */
static double *callers_of(const struct contrast *c, const struct moved_stacks *s,
                          str_id name, bool is_new, struct arena *a)
{
	double *share = arena_new(a, double, c->names.n + 1), all = 0;
	stack_id *met = arena_new(a, stack_id, c->names.n + 1);

	for (stack_id id = 1; id < s->stacks.n && id < s->cap[is_new]; id++) {
		double w = s->weight[is_new][id];

		if (s->stacks.node[id].name != name || !(w > 0))
			continue;
		all += w;
		for (stack_id up = s->stacks.node[id].parent; up;
		     up = s->stacks.node[up].parent) {
			str_id caller = s->stacks.node[up].name;

			if (met[caller] == id)
				continue;
			met[caller] = id;
			share[caller] += w;
		}
	}
	for (size_t i = 0; all > 0 && i < c->names.n; i++)
		share[i] /= all;
	return share;
}

/*
 * Returns an array indexed by function name.  An element is the weight of all stacks that
 * contain the function.
 */
static double *totals_of(const struct contrast *c, const struct moved_stacks *s,
                         struct arena *a)
{
	double *total = arena_new(a, double, c->names.n + 1);
	stack_id *met = arena_new(a, stack_id, c->names.n + 1);

	for (stack_id id = 1; id < s->stacks.n; id++) {
		double w = 0;

		for (int side = 0; side < 2; side++)
			w += id < s->cap[side] ? s->weight[side][id] : 0;
		for (stack_id up = w > 0 ? id : 0; up; up = s->stacks.node[up].parent) {
			str_id name = s->stacks.node[up].name;

			if (met[name] == id)
				continue;
			met[name] = id;
			total[name] += w;
		}
	}
	return total;
}

/* The state of moved_find. */
struct hunt {
	const struct contrast *c;
	const struct findings *found;
	const struct moved_stacks *s;
	const double *total;
	/* indexed by row: the result of callers_of, or NULL until it is needed */
	double **callers;
	bool *used; /* by row */
	struct arena *arena;
};

static double *callers(struct hunt *h, const struct change *ch)
{
	size_t at = (size_t)(ch - h->found->row);

	if (!h->callers[at])
		h->callers[at] = callers_of(h->c, h->s, ch->name,
		                            ch->verdict == VERDICT_GREW, h->arena);
	return h->callers[at];
}

/*
 * Sets *out to a common caller of the functions in these rows.  If there are several common
 * callers, uses the one with the smallest total weight.  Returns false if there is no common
 * caller.
 */
static bool common_caller(struct hunt *h, const struct change *const *row, size_t n,
                          str_id *out)
{
	bool found = false;

	for (str_id name = 0; name < h->c->names.n; name++) {
		bool calls = true;

		for (size_t i = 0; calls && i < n; i++)
			calls = name != row[i]->name &&
			        callers(h, row[i])[name] >= containment;
		/*
		 * If two callers have the same weight, uses the caller with the larger
		 * name id.
		 */
		if (calls && (!found || h->total[name] <= h->total[*out])) {
			*out = name;
			found = true;
		}
	}
	return found;
}

/*
 * Returns true if the sum of the weights in these rows is about equal in old and new profiles.
 */
static bool is_balanced(struct hunt *h, const struct change *const *row, size_t n,
                        double moved)
{
	double *sum = arena_new(h->arena, double, h->c->n);
	struct change ch;

	for (size_t i = 0; i < n; i++)
		contrast_sum(h->c, h->found, row[i]->name, sum);
	ch = contrast_test(h->c, h->found, sum);
	return fabs(ch.shift) <= tolerance * moved;
}

/*
 * Searches for rows whose changes cancel the change of row `one`.  If `one` grew, these rows
 * must have shrunk, and vice versa.  Returns false if there are no such rows.
 */
static bool find_partners(struct hunt *h, const struct change *one, struct moved *out)
{
	enum verdict other = one->verdict == VERDICT_GREW ? VERDICT_SHRANK : VERDICT_GREW;
	const struct change *row[PARTNERS + 1] = { one };
	double left = one->shift;
	size_t n = 1;

	for (size_t i = 0; i < h->found->nrows && n <= PARTNERS; i++) {
		const struct change *ch = &h->found->row[i];

		if (ch->verdict != other || h->used[i] ||
		    fabs(left + ch->shift) >= fabs(left))
			continue;
		row[n] = ch;
		if (!common_caller(h, row, n + 1, &out->below))
			continue;
		left += ch->shift;
		n++;
		if (fabs(left) <= tolerance * fabs(one->shift))
			break;
	}
	if (n == 1 || fabs(left) > tolerance * fabs(one->shift) ||
	    !is_balanced(h, row, n, fabs(one->shift)))
		return false;
	common_caller(h, row, n, &out->below);
	out->weight = fabs(one->shift);
	for (size_t i = 0; i < n; i++) {
		h->used[row[i] - h->found->row] = true;
		if (row[i]->verdict == VERDICT_GREW)
			out->to[out->nto++] = row[i];
		else
			out->from[out->nfrom++] = row[i];
	}
	return true;
}

size_t moved_find(const struct contrast *c, const struct findings *found,
                  const struct moved_stacks *s, struct moved **out, struct arena *arena)
{
	struct hunt h = { .c = c, .found = found, .s = s, .arena = arena };
	size_t n = 0, cap = 0;

	*out = NULL;
	h.total = totals_of(c, s, arena);
	h.callers = arena_new(arena, double *, found->nrows + 1);
	h.used = arena_new(arena, bool, found->nrows + 1);
	for (size_t i = 0; i < found->nrows; i++) {
		const struct change *ch = &found->row[i];
		struct moved m = { 0 };

		if (h.used[i] ||
		    (ch->verdict != VERDICT_GREW && ch->verdict != VERDICT_SHRANK) ||
		    !find_partners(&h, ch, &m))
			continue;
		arena_fit(arena, *out, n + 1, cap);
		(*out)[n++] = m;
	}
	return n;
}
