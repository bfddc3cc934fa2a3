#include "symbol/chain.h"

#include <sys/random.h>
#include <time.h>

#include "base/hash.h"

enum { STEP = 32, LANE = 16 };

void chains_init(struct chains *c, struct arena *arena)
{
	*c = (struct chains){ .arena = arena };
	if (getrandom(c->key, sizeof(c->key), GRND_NONBLOCK) != sizeof(c->key))
		for (size_t i = 0; i < 4; i++)
			c->key[i] = hash_mix((uintptr_t)c + i, (uint64_t)time(NULL));
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	__uint128_t m = (__uint128_t)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Two lanes that do not wait for each other. */
static uint64_t keyed_hash(const uint64_t key[4], struct str s)
{
	uint64_t a = key[0], b = key[1];
	char tail[STEP] = { 0 };
	const char *p = s.p;
	size_t n = s.n;

	for (; n >= STEP; p += STEP, n -= STEP) {
		a = mix(hash_load(p) ^ key[2] ^ a, hash_load(p + 8) ^ key[3]);
		b = mix(hash_load(p + LANE) ^ key[3] ^ b,
		        hash_load(p + LANE + 8) ^ key[2]);
	}
	if (n)
		memcpy(tail, p, n);
	a = mix(hash_load(tail) ^ key[2] ^ a, hash_load(tail + 8) ^ key[3]);
	b = mix(hash_load(tail + LANE) ^ key[3] ^ b, hash_load(tail + LANE + 8) ^ key[2]);
	return mix(a ^ key[1], b ^ key[0]);
}

uint32_t chain_find(struct chains *c, struct str lines)
{
	c->hash = keyed_hash(c->key, lines);
	c->length = lines.n;
	return table_get(&c->index, c->hash, c->length);
}

/* What decides of a frame how it is named, beside its address. */
static uint64_t kind_of(const struct frame *f)
{
	return f->cpumode | (uint64_t)f->caller << 8 | (uint64_t)f->unwound << 9;
}

uint32_t chain_find_ips(struct chains *c, int32_t pid, struct process_state in,
                        const struct frame *frames, size_t n)
{
	uint64_t h = mix((uint32_t)pid ^ c->key[0], (uintptr_t)in.own ^ c->key[1]);

	h = mix(h ^ c->key[2], (uintptr_t)in.kernel ^ c->key[3]);
	for (size_t i = 0; i < n; i++)
		h = mix(frames[i].ip ^ h, kind_of(&frames[i]) ^ c->key[i & 1]);
	c->hash = mix(h ^ c->key[2], c->key[3]);
	c->length = n;
	return table_get(&c->index, c->hash, c->length);
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
