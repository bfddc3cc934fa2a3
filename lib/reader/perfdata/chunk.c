#include "reader/perfdata/chunk.h"

void chunk_init(struct chunks *cs, struct arena *arena)
{
	*cs = (struct chunks){ .arena = arena, .n = 1 };
	cs->k = arena_grow(arena, NULL, &cs->cap, 8, sizeof(*cs->k));
}

uint32_t chunk_take(struct chunks *cs, size_t n)
{
	uint32_t i = cs->unused;

	if (i) {
		cs->unused = cs->k[i].next;
	} else {
		arena_fit(cs->arena, cs->k, cs->n + 1, cs->cap);
		i = (uint32_t)cs->n++;
	}
	cs->k[i].n = 0;
	cs->k[i].users = 1;
	cs->k[i].marked = false;
	chunk_room(cs, i, n);
	return i;
}

void chunk_room(struct chunks *cs, uint32_t chunk, size_t n)
{
	struct chunk *k = &cs->k[chunk];

	arena_fit(cs->arena, k->p, k->n + n, k->cap);
}

void chunk_hold(struct chunks *cs, uint32_t chunk)
{
	if (chunk)
		cs->k[chunk].users++;
}

void chunk_release(struct chunks *cs, uint32_t chunk)
{
	if (!chunk || --cs->k[chunk].users)
		return;
	cs->k[chunk].next = cs->unused;
	cs->unused = chunk;
}

void chunk_clear(struct chunks *cs)
{
	cs->unused = 0;
	for (uint32_t i = 1; i < cs->n; i++) {
		cs->k[i].users = 0;
		cs->k[i].next = cs->unused;
		cs->unused = i;
	}
}

uint64_t chunk_at(const struct chunks *cs, uint32_t chunk, const char *p)
{
	const struct chunk *k = &cs->k[chunk];
	uint64_t at = k->at;

	if (k->marked)
		memcpy(&at, p - sizeof(at), sizeof(at));
	return at;
}
