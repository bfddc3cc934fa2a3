/*
 * table - from a pair of numbers to a number that is not 0.
 *
 * The caches and trees of this program are keyed by integers; this is their one
 * hash table: open addressing, grows, never forgets.  All zero is an empty table.
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

/* The value of key (a, b); 0 when it has none. */
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
 * Where the value of (a, b) stands: 0 when the key is new, and then the caller
 * sets it to something else before it calls again.
 */
uint32_t *table_at(struct table *t, struct arena *arena, uint64_t a, uint64_t b);

#endif
