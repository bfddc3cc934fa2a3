#include "reader/nettrace/netsegment.h"

/* A part of a block.  The events of the part are in order of time.  `ev` is the next event. */
struct net_source {
	struct netevents it;
	struct netevent ev;
	size_t left;  /* number of events after ev */
	uint64_t at;  /* offset of the block */
	bool damaged; /* the block is damaged after this part */
	/* all events were delivered, so the damage must now be reported */
	bool over;
};

void netsegment_clear(struct netsegment *s)
{
	arena_release(&s->arena);
	*s = (struct netsegment){ 0 };
}

static bool earlier(const struct netsegment *s, size_t a, size_t b)
{
	const struct net_source *x = &s->source[a], *y = &s->source[b];

	return x->ev.ticks != y->ev.ticks ? x->ev.ticks < y->ev.ticks : a < b;
}

static void sift_down(struct netsegment *s, size_t i)
{
	for (;;) {
		size_t least = i, child = 2 * i + 1, moved;

		for (size_t k = child; k < child + 2 && k < s->nheap; k++)
			if (earlier(s, s->heap[k], s->heap[least]))
				least = k;
		if (least == i)
			return;
		moved = s->heap[i];
		s->heap[i] = s->heap[least];
		s->heap[least] = moved;
		i = least;
	}
}

static void add_source(struct netsegment *s, struct net_source source)
{
	arena_fit(&s->arena, s->source, s->nsources + 1, s->sources_cap);
	s->source[s->nsources] = source;
	*arena_push(&s->arena, s->heap, s->nheap, s->heap_cap) = s->nsources++;
}

/*
 * Divides the block into parts in which events are in order of time.  Adds each part to s->source.
 * The runtime may write the buffers of several threads into a block, one after the other.
 */
const char *netsegment_events(struct netsegment *s, const struct netfile *nf,
                              const struct netblock *block)
{
	struct net_source source = { .at = block->at };
	size_t before = s->nsources;
	uint64_t ticks = 0;

	if (!netfile_events(&source.it, nf, block))
		return "an event block without its header";
	while (netfile_next_event(&source.it, &source.ev)) {
		if (s->nsources > before && source.ev.ticks >= ticks)
			s->source[s->nsources - 1].left++;
		else
			add_source(s, source);
		ticks = source.ev.ticks;
	}
	if (!source.it.in.bad)
		return NULL;
	if (s->nsources == before)
		return "a damaged event block";
	s->source[s->nsources - 1].damaged = true;
	return NULL;
}

/* Reads a block of stacks: i32 first id, i32 count.  For each stack: i32 size, addresses. */
const char *netsegment_stacks(struct netsegment *s, const struct netblock *block)
{
	struct cursor in = cur_little(block->bytes);
	uint32_t id = cur_u32(&in), n = cur_u32(&in);

	for (uint32_t i = 0; i < n && cur_left(&in); i++) {
		uint32_t bytes = cur_u32(&in);
		const char *p = cur_take(&in, bytes);

		if (in.bad)
			break;
		*arena_push(&s->arena, s->stack, s->nstacks, s->stacks_cap) =
		        (struct str){ p, bytes };
		*table_at(&s->stack_of, &s->arena, id + i, 0) = (uint32_t)s->nstacks;
	}
	return in.bad ? "a damaged stack block" : NULL;
}

void netsegment_order(struct netsegment *s)
{
	for (size_t i = s->nheap; i-- > 0;)
		sift_down(s, i);
}

int netsegment_next(struct netsegment *s, struct netevent *out, uint64_t *at)
{
	struct net_source *source;
	bool over;

	if (!s->nheap)
		return 0;
	source = &s->source[s->heap[0]];
	*at = source->at;
	*out = source->ev;
	over = source->over;
	if (source->left) {
		source->left--;
		netfile_next_event(&source->it, &source->ev);
	} else if (source->damaged && !over) {
		source->over = true;
	} else {
		s->heap[0] = s->heap[--s->nheap];
	}
	sift_down(s, 0);
	return over ? -1 : 1;
}

struct str netsegment_stack(const struct netsegment *s, uint32_t id)
{
	uint32_t at = table_get(&s->stack_of, id, 0);

	return at ? s->stack[at - 1] : (struct str){ 0 };
}
