#include "base/intern.h"

#include "base/hash.h"

static void place(struct intern_slot *slots, size_t nslots, uint64_t hash, str_id id)
{
	size_t i = hash & (nslots - 1);

	while (slots[i].id)
		i = (i + 1) & (nslots - 1);
	slots[i] = (struct intern_slot){ (uint32_t)(hash >> 32), id + 1 };
}

/* Not inlined, because the local variable would add a stack protector to intern(). */
static __attribute__((noinline)) void rehash(struct interner *in)
{
	size_t cap = 0;

	arena_drop(in->arena, in->slots, in->nslots, sizeof(*in->slots));
	in->nslots = in->nslots ? in->nslots * 2 : 1024;
	in->slots = arena_grow(in->arena, NULL, &cap, in->nslots, sizeof(*in->slots));
	for (size_t i = 0; i < in->n; i++)
		place(in->slots, in->nslots, hash_str(in->strings[i]), (str_id)i);
}

void intern_init(struct interner *in, struct arena *arena)
{
	*in = (struct interner){ .arena = arena };
	intern(in, (struct str){ "", 0 });
}

/* Returns the slot of s, or the free slot where it can be added. */
static inline size_t find(const struct interner *in, struct str s, uint64_t hash)
{
	size_t i = hash & (in->nslots - 1);

	while (in->slots[i].id && (in->slots[i].hash != (uint32_t)(hash >> 32) ||
	                           !str_eq(in->strings[in->slots[i].id - 1], s)))
		i = (i + 1) & (in->nslots - 1);
	return i;
}

str_id intern_find(const struct interner *in, struct str s)
{
	str_id id = in->slots[find(in, s, hash_str(s))].id;

	return id ? id - 1 : 0;
}

str_id intern(struct interner *in, struct str s)
{
	uint64_t hash = hash_str(s);
	size_t i;

	if (in->n * 2 >= in->nslots)
		rehash(in);
	i = find(in, s, hash);
	if (in->slots[i].id)
		return in->slots[i].id - 1;
	arena_fit(in->arena, in->strings, in->n + 1, in->cap);
	in->strings[in->n] = arena_str(in->arena, s);
	in->slots[i] = (struct intern_slot){ (uint32_t)(hash >> 32), (str_id)in->n + 1 };
	return (str_id)in->n++;
}
