#include "base/sort.h"

#include "base/hash.h"

/* maximum number of string bytes in a key.  The last byte is their number, or 8 if more follow */
enum { KEY_BYTES = 7 };

struct sorter {
	sort_key *key;
	const void *ctx;
	/* for random pivots, so that no input can cause only bad pivots */
	uint64_t random;
};

struct range {
	struct sort_item *items;
	size_t n, at;
};

static void swap(struct sort_item *a, struct sort_item *b)
{
	struct sort_item was = *a;

	*a = *b;
	*b = was;
}

static uint64_t pick_pivot(struct sorter *s, const struct range *r)
{
	s->random = hash_mix(s->random, r->n);
	return r->items[s->random % r->n].key;
}

/* Splits r into the elements that are less than, equal to and greater than a pivot. */
static void partition(struct sorter *s, const struct range *r, struct range part[3])
{
	uint64_t pivot = pick_pivot(s, r);
	struct sort_item *items = r->items;
	size_t less = 0, i = 0, greater = r->n;

	while (i < greater)
		if (items[i].key < pivot)
			swap(&items[i++], &items[less++]);
		else if (items[i].key > pivot)
			swap(&items[i], &items[--greater]);
		else
			i++;
	part[0] = (struct range){ items, less, r->at };
	part[1] = (struct range){ items + less, greater - less, r->at };
	part[2] = (struct range){ items + greater, r->n - greater, r->at };
}

/* Reads the key of each item at position r->at.  Returns false if the keys end there. */
static bool load(const struct sorter *s, const struct range *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (!s->key(s->ctx, r->items[i].id, r->at, &r->items[i].key))
			return false;
	return true;
}

/* Sorts r.  The loop continues with the largest part, which limits the depth of the recursion. */
static void sort_range(struct sorter *s, struct range r)
{
	while (r.n > 1) {
		struct range part[3];
		size_t largest = 0;

		partition(s, &r, part);
		part[1].at++;
		if (part[1].n < 2 || !load(s, &part[1]))
			part[1].n = 0;
		for (size_t i = 1; i < 3; i++)
			if (part[i].n > part[largest].n)
				largest = i;
		for (size_t i = 0; i < 3; i++)
			if (i != largest)
				sort_range(s, part[i]);
		r = part[largest];
	}
}

void sort_by_keys(struct sort_item *items, size_t n, sort_key *key, const void *ctx)
{
	struct sorter s = { key, ctx, hash_seed() };
	struct range all = { items, n, 0 };

	if (load(&s, &all))
		sort_range(&s, all);
}

bool sort_str_key(struct str s, size_t at, uint64_t *key)
{
	struct str rest = str_from(s, at * KEY_BYTES);
	size_t n = rest.n < KEY_BYTES ? rest.n : KEY_BYTES;

	if (at && at * KEY_BYTES > s.n)
		return false;
	*key = rest.n < KEY_BYTES ? rest.n : KEY_BYTES + (rest.n > KEY_BYTES);
	for (size_t i = 0; i < n; i++)
		*key |= (uint64_t)(unsigned char)rest.p[i] << (56 - 8 * i);
	return true;
}
