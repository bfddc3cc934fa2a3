#include "stack/stack.h"

enum { BILLION = 1000000000 };

void stacks_init(struct stacks *s, struct arena *arena)
{
	*s = (struct stacks){ .arena = arena };
	s->node = arena_grow(arena, NULL, &s->cap, 1, sizeof(*s->node));
	s->n = 1;
}

stack_id stack_append(struct stacks *s, stack_id parent, str_id name)
{
	s->node = arena_grow(s->arena, s->node, &s->cap, s->n + 1, sizeof(*s->node));
	s->node[s->n] = (struct stack_node){ .parent = parent, .name = name };
	return (stack_id)s->n++;
}

/*
 * A node's first child mostly stands right behind it, as stacks are pushed whole:
 * then there is no probe, and the walk is through memory in order.
 */
stack_id stack_push(struct stacks *s, stack_id parent, str_id name)
{
	const struct stack_node *next = &s->node[parent + 1u];
	uint32_t *at;

	if (parent + 1u < s->n && next->parent == parent && next->name == name)
		return parent + 1u;
	at = table_at(&s->children, s->arena, parent, name);
	if (*at)
		return *at;
	return *at = stack_append(s, parent, name);
}

void stack_add(struct stacks *s, stack_id id, uint64_t weight, uint32_t fraction)
{
	struct stack_node *n = &s->node[id];

	n->fraction += fraction;
	if (n->fraction >= BILLION) {
		n->fraction -= BILLION;
		weight += weight < UINT64_MAX;
	}
	if (__builtin_add_overflow(n->self, weight, &n->self))
		n->self = UINT64_MAX;
}
