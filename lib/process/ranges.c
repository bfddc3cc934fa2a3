#include "process/ranges.h"

#include "base/hash.h"

struct range {
	const struct range *left, *right; /* left: lower addresses */
	const struct mapping *map;
	uint64_t priority; /* a parent's is not smaller than its children's */
};

static const struct range *node(struct arena *run, const struct range *like,
                                const struct range *left, const struct range *right)
{
	struct range *n = arena_new(run, struct range, 1);

	*n = (struct range){ left, right, like->map, like->priority };
	return n;
}

/* A node for the part of m from start to end, with m's id. */
static const struct range *piece(struct arena *run, const struct mapping *m,
                                 uint64_t start, uint64_t end)
{
	struct range *n = arena_new(run, struct range, 1);

	n->map = m;
	/*
	 * The priority depends on the address of the node, which no input can choose to
	 * unbalance the tree.
	 */
	n->priority = hash_mix((uintptr_t)n, m->id);
	if (start != m->start || end != m->end) {
		struct mapping *cut = arena_new(run, struct mapping, 1);

		*cut = *m;
		cut->start = start;
		cut->end = end;
		n->map = cut;
	}
	return n;
}

/*
 * Splits t into what starts below `at` and the rest; recurses as deep as the tree, which
 * is logarithmic.
 */
static void split(struct arena *run, const struct range *t, uint64_t at,
                  const struct range **low, const struct range **high)
{
	const struct range *part;

	if (!t) {
		*low = *high = NULL;
	} else if (t->map->start < at) {
		split(run, t->right, at, &part, high);
		*low = node(run, t, t->left, part);
	} else {
		split(run, t->left, at, low, &part);
		*high = node(run, t, part, t->right);
	}
}

static const struct range *join(struct arena *run, const struct range *low,
                                const struct range *high)
{
	if (!low || !high)
		return low ? low : high;
	if (low->priority >= high->priority)
		return node(run, low, low->left, join(run, low->right, high));
	return node(run, high, join(run, low, high->left), high->right);
}

static const struct mapping *last_of(const struct range *t)
{
	while (t && t->right)
		t = t->right;
	return t ? t->map : NULL;
}

const struct range *ranges_insert(const struct range *root, const struct mapping *m,
                                  struct arena *run)
{
	const struct range *low, *mid, *high, *rest;
	const struct mapping *before, *after;

	if (m->end <= m->start)
		return root;
	split(run, root, m->start, &low, &rest);
	split(run, rest, m->end, &mid, &high);
	before = last_of(low);
	after = last_of(mid);
	if (before && before->end > m->start) {
		const struct range *gone;

		split(run, low, before->start, &low, &gone);
		low = join(run, low, piece(run, before, before->start, m->start));
		if (before->end > m->end)
			after = before;
	}
	if (after && after->end > m->end)
		high = join(run, piece(run, after, m->end, after->end), high);
	return join(run, join(run, low, piece(run, m, m->start, m->end)), high);
}

const struct mapping *ranges_find(const struct range *t, uint64_t ip)
{
	while (t) {
		if (ip < t->map->start)
			t = t->left;
		else if (ip >= t->map->end)
			t = t->right;
		else
			return t->map;
	}
	return NULL;
}

const struct mapping *ranges_from(const struct range *t, uint64_t ip)
{
	const struct mapping *m = NULL;

	while (t) {
		if (ip >= t->map->end) {
			t = t->right;
		} else {
			m = t->map;
			t = t->left;
		}
	}
	return m;
}
