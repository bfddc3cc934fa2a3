#include "symbol/recent.h"

enum { FIRST_BITS = 10 };

static struct recent_frame *place(struct recent *r, uint64_t who, uint64_t ip)
{
	return &r->frame[hash_mix(who, ip) >> (64 - r->bits)];
}

static void make(struct recent *r, unsigned bits)
{
	r->bits = bits;
	r->kept = 0;
	r->frame = arena_new(r->arena, struct recent_frame, (size_t)1 << bits);
}

void recent_init(struct recent *r, struct arena *a, unsigned most)
{
	*r = (struct recent){ .arena = a, .most = most };
	make(r, FIRST_BITS);
}

void recent_end(struct recent *r)
{
	arena_drop(r->arena, r->frame, (size_t)1 << r->bits, sizeof(*r->frame));
}

static void grow(struct recent *r)
{
	struct recent old = *r;

	make(r, old.bits + 1);
	for (size_t i = 0; i < (size_t)1 << old.bits; i++)
		*place(r, old.frame[i].who, old.frame[i].ip) = old.frame[i];
	recent_end(&old);
}

void recent_keep(struct recent *r, uint64_t who, uint64_t ip, struct placed at)
{
	if (++r->kept > (size_t)1 << r->bits && r->bits < r->most)
		grow(r);
	*place(r, who, ip) = (struct recent_frame){ who, ip, at };
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
