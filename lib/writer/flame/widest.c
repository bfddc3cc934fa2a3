#include "writer/flame/widest.h"

#include <math.h>
#include <string.h>

/* A key is divided into digits, as for a radix sort. */
enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 64 };

/* The bits of a number that is not negative have the order of the numbers. */
static uint64_t key_of(double v)
{
	uint64_t key;

	memcpy(&key, &v, sizeof(key));
	return key;
}

static double value_of(uint64_t key)
{
	double v;

	memcpy(&v, &key, sizeof(v));
	return v;
}

/*
 * Returns the key that exactly `rank` keys precede in descending order, if equal keys are counted
 * separately.  Finds one digit after the other, from the first.
 */
static uint64_t find_key(const struct widest *w, size_t rank)
{
	arena_scope(scratch);
	size_t *count = arena_new(&scratch, size_t, DIGITS);
	uint64_t found = 0;

	for (unsigned shift = KEY_BITS; shift;) {
		uint64_t known = shift < KEY_BITS ? UINT64_MAX << shift : 0;
		uint64_t digit = DIGITS - 1;

		shift -= DIGIT_BITS;
		memset(count, 0, DIGITS * sizeof(*count));
		for (size_t i = 0; i < w->n; i++)
			if ((w->key[i] & known) == found)
				count[w->key[i] >> shift & (DIGITS - 1)]++;
		for (; rank >= count[digit]; digit--)
			rank -= count[digit];
		found |= digit << shift;
	}
	return found;
}

/*
 * Removes all keys but the N + 1 greatest, and sets w->least to the least of these.  There must be
 * more than N keys.
 */
static void shrink(struct widest *w)
{
	uint64_t least = find_key(w, w->most);
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		if (w->key[i] > least)
			w->key[n++] = w->key[i];
	while (n <= w->most)
		w->key[n++] = least;
	w->n = n;
	w->least = value_of(least);
}

void widest_add(struct widest *w, double v)
{
	if (w->all++ > w->most && v <= w->least)
		return;
	arena_fit(w->arena, w->key, w->n + 1, w->cap);
	w->key[w->n++] = key_of(v);
	if (w->n > 2 * w->most + DIGITS)
		shrink(w);
}

double widest_limit(struct widest *w)
{
	if (w->all <= w->most)
		return -INFINITY;
	shrink(w);
	return w->least;
}
