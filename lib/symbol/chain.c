#include "symbol/chain.h"

enum { TRIED = 4096 }; /* chains, before it is judged whether they come again */

void chain_init(struct chains *c, struct arena *arena)
{
	*c = (struct chains){ .arena = arena };
	c->seed = hash_seed();
}

bool chain_pay(const struct chains *c)
{
	return c->n < TRIED || c->again >= c->n;
}

uint32_t chain_find(struct chains *c, struct str bytes, uint64_t context)
{
	uint64_t h = hash_seeded(c->seed, bytes);
	uint32_t number;

	c->hash = hash_mix(h, context);
	c->length = bytes.n;
	number = table_get(&c->index, c->hash, c->length);
	c->again += number != 0;
	return number;
}

uint32_t chain_find_callers(struct chains *c, const struct event *ev, uint64_t state)
{
	return chain_find(c, ev->callers, state << 8 | ev->frames[0].cpumode);
}

static bool is_same(const struct frame *a, const struct frame *b)
{
	return a->ip == b->ip && a->cpumode == b->cpumode && a->caller == b->caller;
}

size_t chain_shared(struct chains *c, const struct event *ev, uint64_t state)
{
	const struct frame *end = ev->frames + ev->nframes;
	size_t n = ev->nframes - 1, same = 0;

	while (state == c->last_state && same < n && same < c->nlast &&
	       is_same(end - same - 1, c->last + c->nlast - same - 1))
		same++;
	c->last = arena_grow(c->arena, c->last, &c->last_cap, n, sizeof(*c->last));
	memcpy(c->last, ev->frames + 1, n * sizeof(*c->last));
	c->nlast = n;
	c->last_state = state;
	return same;
}

uint32_t chain_mark(struct chains *c)
{
	return *table_at(&c->index, c->arena, c->hash, c->length) = (uint32_t)++c->n;
}

uint32_t chain_add(struct chains *c, const frame_id *ids, size_t n)
{
	uint32_t number = chain_mark(c);
	struct chain *chain;

	c->chain =
	        arena_grow(c->arena, c->chain, &c->cap, number + 1u, sizeof(*c->chain));
	chain = &c->chain[number];
	*chain = (struct chain){ .ids = arena_new(c->arena, frame_id, n), .n = n };
	memcpy(chain->ids, ids, n * sizeof(*ids));
	return number;
}
