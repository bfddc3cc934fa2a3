#include "symbol/recent.h"

enum { FIRST_BYTES = 32 << 10 }; /* least size of a new table */

static void make(struct recent *r, unsigned bits)
{
	r->bits = bits;
	r->kept = 0;
	r->slot = arena_alloc_dense(r->arena, (size_t)1 << bits, r->size);
}

void recent_init(struct recent *r, struct arena *a, size_t size, unsigned most)
{
	unsigned bits = 0;

	while (size << bits < FIRST_BYTES)
		bits++;
	*r = (struct recent){ .arena = a, .size = size, .most = most };
	make(r, bits);
}

void recent_end(struct recent *r)
{
	arena_drop(r->arena, r->slot, (size_t)1 << r->bits, r->size);
}

void recent_grow(struct recent *r)
{
	struct recent old = *r;
	size_t n = (size_t)1 << old.bits;
	uint64_t key[2];

	make(r, old.bits + 1);
	for (const char *p = old.slot; p < old.slot + n * r->size; p += r->size) {
		memcpy(key, p, sizeof(key));
		memcpy(recent_slot(r, r->size, key[0], key[1]), p, r->size);
	}
	recent_end(&old);
}

static size_t count_same(const struct recent_chain *c, const struct event *ev)
{
	const struct frame *f = ev->frames + ev->nframes;
	size_t n = c->n < ev->nframes ? c->n : ev->nframes, i = 0;

	while (i < n && c->link[i].ip == f[-1].ip &&
	       c->link[i].bits == recent_bits(f - 1)) {
		i++;
		f--;
	}
	return i;
}

struct recent_link *recent_chain(struct recent_chains *cs, const struct recent_state *s,
                                 const struct event *ev, size_t *same)
{
	struct recent_chain *c = &cs->chain[(unsigned)ev->cpu % RECENT_CPUS];

	*same = s->user == c->state.user && s->kernel == c->state.kernel
	                ? count_same(c, ev)
	                : 0;
	arena_fit(cs->arena, c->link, ev->nframes, c->cap);
	c->n = ev->nframes;
	c->state = *s;
	return c->link;
}
