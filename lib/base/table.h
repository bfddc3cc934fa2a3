/*
 * table - maps a pair of numbers to a number that is not 0.
 *
 * All caches and trees of this program with integer keys use this hash table.  It uses open
 * addressing and grows.  Keys cannot be removed.  A table with all fields zero is empty.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/arena.h"
#include "base/hash.h"

struct table_slot {
	uint64_t a, b;  /* the key */
	uint32_t value; /* 0 if the slot is free */
};

struct table {
	struct table_slot *slots;
	size_t n, nslots; /* nslots is 0 or a power of two */
};

/* Returns the value of key (a, b), or 0 if there is no such key. */
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

/* Prefetches the slot of key (a, b) for a lookup that follows soon. */
static inline void table_fetch(const struct table *t, uint64_t a, uint64_t b)
{
	if (t->nslots)
		__builtin_prefetch(&t->slots[hash_mix(a, b) & (t->nslots - 1)]);
}

/*
 * Returns a pointer to the value of key (a, b).  A value of 0 means that the key is new.  The
 * caller must then set the value before the next call.
 */
uint32_t *table_at(struct table *t, struct arena *arena, uint64_t a, uint64_t b);

/*
 * Returns the address of the element of an array that belongs to a key.  `at` is the result of
 * table_at: the index of the element + 1.  If the key is new, adds an element to the array with
 * arena_push.  The last argument is the value of this element.
 */
#define table_item(at, arena, items, n, cap, ...)                                        \
	({                                                                               \
		uint32_t *at_ = (at);                                                    \
                                                                                         \
		if (!*at_) {                                                             \
			*arena_push(arena, items, n, cap) = __VA_ARGS__;                 \
			*at_ = (uint32_t)(n);                                            \
		}                                                                        \
		&(items)[*at_ - 1];                                                      \
	})

#endif
