#include "stack/stack.h"

#include "base/hash.h"
#include "stack/weight.h"

void stack_init(struct stacks *s, struct arena *arena)
{
	*s = (struct stacks){ .arena = arena };
	s->node = arena_grow(arena, NULL, &s->cap, 1, sizeof(*s->node));
	s->n = 1;
}

static stack_id append(struct stacks *s, stack_id parent, str_id name)
{
	arena_fit(s->arena, s->node, s->n + 1, s->cap);
	s->node[s->n] = (struct stack_node){ .parent = parent, .name = name };
	return (stack_id)s->n++;
}

/* Returns the slot of (parent, name), or the free slot where it can be added. */
static struct stack_slot *find(struct stacks *s, stack_id parent, str_id name)
{
	uint64_t hash = hash_mix(parent, name);

	for (size_t i = hash;; i++) {
		struct stack_slot *slot = &s->slots[i & (s->nslots - 1)];
		const struct stack_node *n = &s->node[slot->id];

		if (!slot->id) {
			slot->hash = (uint32_t)(hash >> 32);
			return slot;
		}
		if (slot->hash == (uint32_t)(hash >> 32) && n->parent == parent &&
		    n->name == name)
			return slot;
	}
}

static void rehash(struct stacks *s)
{
	struct stack_slot *old = s->slots;
	size_t n = s->nslots;

	s->nslots = n ? n * 2 : 256;
	s->slots = arena_new(s->arena, struct stack_slot, s->nslots);
	for (size_t i = 0; i < n; i++) {
		const struct stack_node *node = &s->node[old[i].id];

		if (old[i].id)
			find(s, node->parent, node->name)->id = old[i].id;
	}
	arena_drop(s->arena, old, n, sizeof(*old));
}

/*
 * Stacks are pushed completely, so the first child of a node is usually the next node.  This node
 * is compared first, to avoid a hash lookup.
 */
stack_id stack_push(struct stacks *s, stack_id parent, str_id name)
{
	const struct stack_node *next = &s->node[parent + 1u];
	struct stack_slot *slot;

	if (parent + 1u < s->n && next->parent == parent && next->name == name)
		return parent + 1u;
	if (s->used * 2 >= s->nslots)
		rehash(s);
	slot = find(s, parent, name);
	if (slot->id)
		return slot->id;
	s->used++;
	return slot->id = append(s, parent, name);
}

void stack_add(struct stacks *s, stack_id id, uint64_t weight, uint32_t fraction)
{
	struct stack_node *n = &s->node[id];

	n->fraction += fraction;
	if (n->fraction >= WEIGHT_ONE) {
		n->fraction -= WEIGHT_ONE;
		weight += weight < UINT64_MAX;
	}
	if (__builtin_add_overflow(n->self, weight, &n->self))
		n->self = UINT64_MAX;
}
