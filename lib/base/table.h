/*
 * table - from a pair of numbers to a number that is not 0.
 *
 * The caches and trees of this program are keyed by integers.  This is their only hash table:
 * open addressing, grows, never removes keys.  All zero is an empty table.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/arena.h"
#include "base/hash.h"

struct table_slot {
	uint64_t a, b;  /* the key */
	uint32_t value; /* 0 when the slot is free */
};

struct table {
	struct table_slot *slots;
	size_t n, nslots; /* nslots is 0 or a power of two */
};

/* Returns the value of key (a, b), or 0. */
static inline uint32_t table_get(const struct table *t, uint64_t a, uint64_t b)
{
	if (!t->nslots)
		return 0;
	for (size_t i = hash_mix(a, b);; i++) {
		const struct table_slot *s = &t->slots[i & (t->nslots - 1)];

		if (!s->value || (s->a == a && s->b == b))
			return s->value;
	}
}

/*
 * Returns the place of the value of (a, b).  It is 0 if the key is new, and the caller must then
 * set it before the next call.
 */
uint32_t *table_at(struct table *t, struct arena *arena, uint64_t a, uint64_t b);

#endif
