#include "reader/repeated_stacks.h"

#include "base/hash.h"

enum {
	SLOTS = 1024,    /* a power of two */
	BEGINNING = 64,  /* bytes that choose the slot: about the first frame */
	LONGEST = 16384, /* bytes of a stack: what is longer is rare */
};

struct spare_slot {
	struct str stack; /* in copy, or where it stays */
	char *copy;
	size_t cap;
	int32_t tid;
};

struct spare {
	bool stays;
	struct arena copies;
	struct spare_slot slot[SLOTS];
};

struct spare *spare_new(struct arena *run, bool stays)
{
	struct spare *sp = arena_new(run, struct spare, 1);

	sp->stays = stays;
	return sp;
}

void spare_free(struct spare *sp)
{
	if (sp)
		arena_release(&sp->copies);
}

static size_t place(struct str text, int32_t tid)
{
	return hash_mix(hash_str(str_head(text, BEGINNING)), (uint32_t)tid) & (SLOTS - 1);
}

size_t spare_find(const struct spare *sp, struct str text, int32_t tid)
{
	const struct spare_slot *s;

	if (text.n < BEGINNING)
		return 0;
	s = &sp->slot[place(text, tid)];
	return s->tid == tid && str_starts(text, s->stack) ? s->stack.n : 0;
}

void spare_keep(struct spare *sp, struct str stack, int32_t tid)
{
	struct spare_slot *s;

	if (stack.n < BEGINNING || stack.n > LONGEST || stack.p[0] != '\t' ||
	    !str_ends(stack, STR("\n\n")))
		return;
	s = &sp->slot[place(stack, tid)];
	s->tid = tid;
	s->stack = stack;
	if (sp->stays)
		return;
	s->copy = arena_grow(&sp->copies, s->copy, &s->cap, stack.n, 1);
	memcpy(s->copy, stack.p, stack.n);
	s->stack.p = s->copy;
}
