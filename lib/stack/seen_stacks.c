#include "stack/seen_stacks.h"

#include "base/hash.h"

enum {
	/* maximum number of stacks.  The hash table then uses 2 MiB */
	STACKS_MOST = 1 << 17,
	WORDS_MOST = 2 << 20, /* maximum number of words in all stacks: 8 MiB */
	FIRST_SLOTS = 1024,
};

struct seen_stack {
	struct stack_place place;
	uint32_t n;
	uint32_t codes[];
};

static const struct seen_stack *stack_of(const struct seen_stacks *s,
                                         const struct seen_slot *slot)
{
	return (const void *)(s->words + slot->at);
}

static uint64_t hash_codes(const uint32_t *codes, size_t n)
{
	return hash_more(hash_key(),
	                 (struct str){ (const char *)codes, n * sizeof(*codes) });
}

const struct stack_place *seen_stacks_find(const struct seen_stacks *s,
                                           const uint32_t *codes, size_t n)
{
	uint64_t hash = hash_codes(codes, n);

	if (!s->used)
		return NULL;
	for (size_t i = hash;; i++) {
		const struct seen_slot *slot = &s->slots[i & (s->nslots - 1)];
		const struct seen_stack *stack = stack_of(s, slot);

		if (!slot->at)
			return NULL;
		if (slot->hash == (uint32_t)(hash >> 32) && stack->n == n &&
		    memcmp(stack->codes, codes, n * sizeof(*codes)) == 0)
			return &stack->place;
	}
}

static struct seen_slot *free_slot(struct seen_stacks *s, uint64_t hash)
{
	size_t i = hash & (s->nslots - 1);

	while (s->slots[i].at)
		i = (i + 1) & (s->nslots - 1);
	return &s->slots[i];
}

static void grow(struct seen_stacks *s)
{
	struct seen_slot *old = s->slots;
	size_t n = s->nslots;

	s->nslots = n ? n * 2 : FIRST_SLOTS;
	s->slots = arena_new(s->arena, struct seen_slot, s->nslots);
	for (size_t i = 0; i < n; i++)
		if (old[i].at)
			*free_slot(s, hash_codes(stack_of(s, &old[i])->codes,
			                         stack_of(s, &old[i])->n)) = old[i];
	arena_drop(s->arena, old, n, sizeof(*old));
}

void seen_stacks_forget(struct seen_stacks *s)
{
	if (s->used)
		memset(s->slots, 0, s->nslots * sizeof(*s->slots));
	s->used = s->nwords = 0;
}

void seen_stacks_keep(struct seen_stacks *s, const uint32_t *codes, size_t n,
                      struct stack_place place)
{
	size_t words = sizeof(struct seen_stack) / sizeof(*s->words) + n;
	uint64_t hash = hash_codes(codes, n);
	struct seen_stack *to;

	if (s->used >= STACKS_MOST || s->nwords + words > WORDS_MOST)
		seen_stacks_forget(s);
	if (s->used * 2 >= s->nslots)
		grow(s);
	if (!s->nwords)
		s->nwords = 1;
	arena_fit(s->arena, s->words, s->nwords + words, s->words_cap);
	to = (void *)(s->words + s->nwords);
	*to = (struct seen_stack){ .place = place, .n = (uint32_t)n };
	memcpy(to->codes, codes, n * sizeof(*codes));
	*free_slot(s, hash) =
	        (struct seen_slot){ (uint32_t)(hash >> 32), (uint32_t)s->nwords };
	s->nwords += words;
	s->used++;
}
