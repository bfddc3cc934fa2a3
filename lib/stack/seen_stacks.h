/*
 * seen_stacks - caches the results of recent samples by their frames.  Private to stack/.  A
 * stack is an array of codes.  It is found by one hash lookup, and then all codes are compared.
 * When the stacks use too much memory, all are dropped.
 */
#ifndef STACK_SEEN_STACKS_H
#define STACK_SEEN_STACKS_H

#include "stack/stack.h"

struct seen_slot {
	/*
	 * hash of a stack, and its index in `words`.  The index is 0 if the slot is free
	 */
	uint32_t hash, at;
};

struct seen_stacks {
	struct arena *arena;
	uint32_t *words; /* a sequence of struct seen_stack, from index 1 on */
	size_t nwords, words_cap;
	struct seen_slot *slots;
	size_t nslots, used; /* nslots is 0 or a power of two */
};

/*
 * Returns the place of the stack with these n codes, or NULL.  It is valid until the next call.
 */
const struct stack_place *seen_stacks_find(const struct seen_stacks *s,
                                           const uint32_t *codes, size_t n);

/* Adds a stack that seen_stacks_find did not find. */
void seen_stacks_keep(struct seen_stacks *s, const uint32_t *codes, size_t n,
                      struct stack_place place);

/* Drops all stacks.  Call it when the meaning of codes changes. */
void seen_stacks_forget(struct seen_stacks *s);

#endif
