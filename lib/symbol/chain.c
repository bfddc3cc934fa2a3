#include "symbol/chain.h"

enum {
	TRIED = 4096,          /* chains, before it is judged whether they come again */
	COPIED_MAX = 16 << 20, /* bytes that are copied until all copies are dropped */
};

void chain_init(struct chains *c, struct arena *arena)
{
	*c = (struct chains){ .arena = arena, .seed = hash_seed() };
}

bool chain_pay(const struct chains *c)
{
	return c->n < TRIED || c->again >= c->n;
}

uint32_t chain_find(struct chains *c, struct str bytes, uint64_t context, bool stays)
{
	uint32_t number;

	c->hash = hash_mix(hash_seeded(c->seed, bytes), context);
	c->bytes = bytes;
	c->context = context;
	c->stays = stays;
	number = table_get(&c->index, c->hash, bytes.n);
	if (!number || c->chain[number].context != context ||
	    !str_eq(c->chain[number].bytes, bytes))
		return 0;
	c->again++;
	return number;
}

uint32_t chain_find_callers(struct chains *c, const struct event *ev, uint64_t state)
{
	return chain_find(c, ev->callers, state << 8 | ev->frames[0].cpumode, ev->stays);
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

/* Chains whose bytes were copied are not found any more, and may be added again. */
static void drop_copies(struct chains *c)
{
	for (size_t i = 1; i <= c->n; i++)
		if (c->chain[i].copied)
			c->chain[i].bytes = (struct str){ 0 };
	c->copied = 0;
}

/* None of more than COPIED_MAX bytes: it will not be found. */
static struct str copy(struct chains *c, struct str bytes)
{
	char *to;

	if (bytes.n > COPIED_MAX)
		return (struct str){ 0 };
	if (!c->copies)
		c->copies = arena_pages(c->arena, COPIED_MAX);
	if (bytes.n > COPIED_MAX - c->copied)
		drop_copies(c);
	to = c->copies + c->copied;
	memcpy(to, bytes.p, bytes.n);
	c->copied += bytes.n;
	return (struct str){ to, bytes.n };
}

uint32_t chain_mark(struct chains *c)
{
	struct str bytes = c->stays ? c->bytes : copy(c, c->bytes);
	uint32_t number = (uint32_t)++c->n;

	c->chain =
	        arena_grow(c->arena, c->chain, &c->cap, number + 1u, sizeof(*c->chain));
	c->chain[number] = (struct chain){ .bytes = bytes,
		                           .context = c->context,
		                           .copied = !c->stays };
	*table_at(&c->index, c->arena, c->hash, bytes.n) = number;
	return number;
}

uint32_t chain_add(struct chains *c, const frame_id *ids, size_t n)
{
	uint32_t number = chain_mark(c);
	struct chain *chain = &c->chain[number];

	chain->ids = arena_new(c->arena, frame_id, n);
	chain->n = n;
	memcpy(chain->ids, ids, n * sizeof(*ids));
	return number;
}
