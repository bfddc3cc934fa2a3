#include "process/ranges.h"

struct range {
	struct range *left, *right; /* left: subtree of lower addresses */
	const struct mapping *map;
	uint32_t priority; /* at least the priority of its children */
	uint32_t owner;    /* only this owner may change the node */
};

/* Returns node n with new children.  If another owner owns n, returns a copy. */
static struct range *with(const struct ranges_edit *e, struct range *n,
                          struct range *left, struct range *right)
{
	struct range *own = n->owner == e->owner ? n : arena_new(e->run, struct range, 1);

	*own = (struct range){ left, right, n->map, n->priority, e->owner };
	return own;
}

/* Makes a node for the part of m from start to end.  Its mapping keeps the id of m. */
static struct range *piece(const struct ranges_edit *e, const struct mapping *m,
                           uint64_t start, uint64_t end)
{
	struct range *n = arena_new(e->run, struct range, 1);

	n->map = m;
	n->owner = e->owner;
	/*
	 * The priority depends on the node's address in memory, so no input can unbalance
	 * the tree.
	 */
	n->priority = (uint32_t)(hash_mix((uintptr_t)n, m->id) >> 32);
	if (start != m->start || end != m->end) {
		struct mapping *cut = arena_new(e->run, struct mapping, 1);

		*cut = *m;
		cut->start = start;
		cut->end = end;
		n->map = cut;
	}
	return n;
}

/*
 * Splits t: mappings that start below `at` become *low, and the others become *high.  The depth
 * of the recursion is logarithmic.
 */
static void split(const struct ranges_edit *e, struct range *t, uint64_t at,
                  struct range **low, struct range **high)
{
	struct range *part;

	if (!t) {
		*low = *high = NULL;
	} else if (t->map->start < at) {
		split(e, t->right, at, &part, high);
		*low = with(e, t, t->left, part);
	} else {
		split(e, t->left, at, low, &part);
		*high = with(e, t, part, t->right);
	}
}

static struct range *join(const struct ranges_edit *e, struct range *low,
                          struct range *high)
{
	if (!low || !high)
		return low ? low : high;
	if (low->priority >= high->priority)
		return with(e, low, low->left, join(e, low->right, high));
	return with(e, high, join(e, low, high->left), high->right);
}

static const struct mapping *last_of(const struct range *t)
{
	while (t && t->right)
		t = t->right;
	return t ? t->map : NULL;
}

struct range *ranges_insert(struct range *root, const struct mapping *m,
                            const struct ranges_edit *e)
{
	struct range *low, *mid, *high, *rest;
	const struct mapping *before, *after;

	if (m->end <= m->start)
		return root;
	split(e, root, m->start, &low, &rest);
	split(e, rest, m->end, &mid, &high);
	before = last_of(low);
	after = last_of(mid);
	if (before && before->end > m->start) {
		struct range *gone;

		split(e, low, before->start, &low, &gone);
		low = join(e, low, piece(e, before, before->start, m->start));
		if (before->end > m->end)
			after = before;
	}
	if (after && after->end > m->end)
		high = join(e, piece(e, after, m->end, after->end), high);
	return join(e, join(e, low, piece(e, m, m->start, m->end)), high);
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

const struct mapping *ranges_find_from(const struct range *t, uint64_t ip)
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
