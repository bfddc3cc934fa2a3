#include "symbol/chain.h"

/* maximum size in bytes of all copies.  If a new copy does not fit, all copies are dropped */
enum { COPIED_MAX = 16 << 20 };

void chain_init(struct chains *c, struct arena *arena)
{
	*c = (struct chains){ .arena = arena, .seed = hash_seed() };
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
	return number;
}

/*
 * Forgets the chains whose bytes were copied.  chain_find no longer finds them, and the caller
 * may add them again.
 */
static void drop_copies(struct chains *c)
{
	for (size_t i = 1; i <= c->n; i++)
		if (c->chain[i].copied)
			c->chain[i].bytes = (struct str){ 0 };
	c->copied = 0;
}

/*
 * Copies the bytes of a chain.  Returns an empty string if the chain has more than COPIED_MAX
 * bytes.  chain_find does not find a chain that was not copied.
 */
static struct str copy(struct chains *c, struct str bytes)
{
	char *to;

	if (bytes.n > COPIED_MAX)
		return (struct str){ 0 };
	if (!c->copies)
		c->copies = arena_new(c->arena, char, COPIED_MAX);
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

	arena_fit(c->arena, c->chain, number + 1u, c->cap);
	c->chain[number] = (struct chain){ .bytes = bytes,
		                           .context = c->context,
		                           .copied = !c->stays };
	*table_at(&c->index, c->arena, c->hash, bytes.n) = number;
	return number;
}
