/*
 * seen_stacks - the results of recent samples by their frames.  Private to stack/.
 *
 * A stack is an array of numbers.  It is found by one probe and compared completely.  Memory is
 * bounded: when the stacks use too much, all are dropped.
 */
#ifndef STACK_SEEN_STACKS_H
#define STACK_SEEN_STACKS_H

#include "stack/stack.h"

struct seen_slot {
	uint32_t hash, at; /* at: in words, or 0 if the slot is free */
};

struct seen_stacks {
	struct arena *arena;
	uint32_t *words; /* struct seen_stack, one after the other, from word 1 on */
	size_t nwords, words_cap;
	struct seen_slot *slots;
	size_t nslots, used; /* nslots is 0 or a power of two */
};

/* Returns the place of the stack with these n codes, valid until the next call, or NULL. */
const struct stack_place *seen_stacks_find(const struct seen_stacks *s,
                                           const uint32_t *codes, size_t n);

/* Remembers a stack that is not known. */
void seen_stacks_keep(struct seen_stacks *s, const uint32_t *codes, size_t n,
                      struct stack_place place);

/* Codes mean something else from now on. */
void seen_stacks_forget(struct seen_stacks *s);

#endif
