/*
 * seen_stacks - caches the stack_place of recent samples.  Private to stack/.
 *
 * The key is the array of codes of the frames.  A hash selects a slot, and then all codes are
 * compared.
 * When the stacks use too much memory, the cache drops all stacks.
 */
#ifndef STACK_SEEN_STACKS_H
#define STACK_SEEN_STACKS_H

#include "stack/stack.h"

struct seen_slot {
	/* hash of a stack, and index in `words`.  The index is 0 if the slot is free */
	uint32_t hash, at;
};

struct seen_stacks {
	struct arena *arena;
	uint32_t *words; /* sequence of struct seen_stack, starting at index 1 */
	size_t nwords, words_cap;
	struct seen_slot *slots;
	size_t nslots, used; /* nslots is 0 or a power of two */
};

/*
 * Returns the stack_place of the stack with these n codes, or NULL.  Use the result before the
 * next call.
 */
const struct stack_place *seen_stacks_find(const struct seen_stacks *s,
                                           const uint32_t *codes, size_t n);

/* Adds a stack that seen_stacks_find did not find. */
void seen_stacks_keep(struct seen_stacks *s, const uint32_t *codes, size_t n,
                      struct stack_place place);

/* Drops all stacks.  Call it when the meaning of codes changes. */
void seen_stacks_forget(struct seen_stacks *s);

#endif
