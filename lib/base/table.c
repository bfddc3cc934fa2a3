#include "base/table.h"

static struct table_slot *find(struct table *t, uint64_t a, uint64_t b)
{
	for (size_t i = hash_mix(a, b);; i++) {
		struct table_slot *s = &t->slots[i & (t->nslots - 1)];

		if (!s->value || (s->a == a && s->b == b))
			return s;
	}
}

static void grow(struct table *t, struct arena *arena)
{
	struct table old = *t;

	t->nslots = old.nslots ? old.nslots * 2 : 256;
	t->slots = arena_alloc_dense(arena, t->nslots, sizeof(*t->slots));
	for (size_t i = 0; i < old.nslots; i++)
		if (old.slots[i].value)
			*find(t, old.slots[i].a, old.slots[i].b) = old.slots[i];
	arena_drop(arena, old.slots, old.nslots, sizeof(*old.slots));
}

uint32_t *table_at(struct table *t, struct arena *arena, uint64_t a, uint64_t b)
{
	struct table_slot *s;

	if (t->n * 3 >= t->nslots * 2)
		grow(t, arena);
	s = find(t, a, b);
	if (!s->value) {
		s->a = a;
		s->b = b;
		t->n++;
	}
	return &s->value;
}
