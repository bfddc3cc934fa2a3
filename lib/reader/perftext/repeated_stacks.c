#include "reader/perftext/repeated_stacks.h"

#include "base/hash.h"

enum {
	SLOTS = 1024,   /* a power of two */
	BEGINNING = 64, /* bytes that select the slot, about as long as the first frame */
	LONGEST = 16384, /* maximum length of a stored stack.  Longer stacks are rare */
};

struct slot {
	/*
	 * bytes of the stack, in `copy` or, if `stays` is set, at their original address
	 */
	struct str stack;
	char *copy;
	size_t cap;
	int32_t tid;
};

struct repeated_stacks {
	bool stays;
	struct arena copies;
	struct slot slot[SLOTS];
};

struct repeated_stacks *repeated_stacks_new(struct arena *run, bool stays)
{
	struct repeated_stacks *sp = arena_new(run, struct repeated_stacks, 1);

	sp->stays = stays;
	return sp;
}

void repeated_stacks_free(struct repeated_stacks *sp)
{
	if (sp)
		arena_release(&sp->copies);
}

static size_t place(struct str text, int32_t tid)
{
	return hash_mix(hash_str(str_head(text, BEGINNING)), (uint32_t)tid) & (SLOTS - 1);
}

size_t repeated_stacks_find(const struct repeated_stacks *sp, struct str text,
                            int32_t tid)
{
	const struct slot *s;

	if (text.n < BEGINNING)
		return 0;
	s = &sp->slot[place(text, tid)];
	return s->tid == tid && str_starts(text, s->stack) ? s->stack.n : 0;
}

void repeated_stacks_keep(struct repeated_stacks *sp, struct str stack, int32_t tid)
{
	struct slot *s;

	if (stack.n < BEGINNING || stack.n > LONGEST || stack.p[0] != '\t' ||
	    !str_ends(stack, STR("\n\n")))
		return;
	s = &sp->slot[place(stack, tid)];
	s->tid = tid;
	s->stack = stack;
	if (sp->stays)
		return;
	arena_fit(&sp->copies, s->copy, stack.n, s->cap);
	memcpy(s->copy, stack.p, stack.n);
	s->stack.p = s->copy;
}
