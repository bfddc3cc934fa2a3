#include "symbol/chain.h"

enum { TRIED = 4096 }; /* chains, before it is judged whether they come again */

void chains_init(struct chains *c, struct arena *arena)
{
	*c = (struct chains){ .arena = arena };
	keyed_init(&c->keyed);
}

uint32_t chain_find(struct chains *c, struct str lines)
{
	c->hash = keyed_hash(&c->keyed, lines);
	c->length = lines.n;
	return table_get(&c->index, c->hash, c->length);
}

/* What decides of a frame how it is named, beside its address. */
static uint64_t kind_of(const struct frame *f)
{
	return f->cpumode | (uint64_t)f->caller << 8 | (uint64_t)f->unwound << 9;
}

bool chains_pay(const struct chains *c)
{
	return c->n < TRIED || c->again >= c->n;
}

uint32_t chain_find_ips(struct chains *c, int32_t pid, struct process_state in,
                        const struct frame *frames, size_t n)
{
	const uint64_t *key = c->keyed.key;
	uint64_t h = keyed_mix((uint32_t)pid ^ key[0], (uintptr_t)in.own ^ key[1]);
	uint32_t number;

	h = keyed_mix(h ^ key[2], (uintptr_t)in.kernel ^ key[3]);
	for (size_t i = 0; i < n; i++)
		h = keyed_mix(frames[i].ip ^ h, kind_of(&frames[i]) ^ key[i & 1]);
	c->hash = keyed_mix(h ^ key[2], key[3]);
	c->length = n;
	number = table_get(&c->index, c->hash, c->length);
	c->again += number != 0;
	return number;
}

uint32_t chain_add(struct chains *c, const frame_id *ids, size_t n)
{
	struct chain *chain;

	c->chain = arena_grow(c->arena, c->chain, &c->cap, c->n + 2, sizeof(*c->chain));
	chain = &c->chain[++c->n];
	chain->ids = arena_new(c->arena, frame_id, n);
	chain->n = n;
	chain->uses = 0;
	if (n)
		memcpy(chain->ids, ids, n * sizeof(*ids));
	return *table_at(&c->index, c->arena, c->hash, c->length) = (uint32_t)c->n;
}
