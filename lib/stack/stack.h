/*
 * stack - stacks as a tree of integers; folding is addition.
 *
 * A stack is a path from the root: pushing a name below a node is one hash probe.
 * Node 0 is the root and has no name.  A node's parent has a smaller id, so one
 * loop from the last node to the first adds up totals.
 */
#ifndef STACK_STACK_H
#define STACK_STACK_H

#include "base/intern.h"
#include "base/table.h"

typedef uint32_t stack_id;

struct stack_node {
	stack_id parent;
	str_id name;
	uint64_t self;     /* weight of the samples that end here; saturates */
	uint32_t fraction; /* billionths of one, in addition to self */
};

struct stacks {
	struct arena *arena;
	struct stack_node *node;
	size_t n, cap;
	struct table children; /* (parent, name) -> node */
};

void stacks_init(struct stacks *s, struct arena *arena);

/* The node of name below parent. */
stack_id stack_push(struct stacks *s, stack_id parent, str_id name);

/* A new node of name below parent, whatever is there; stack_push will not find it. */
stack_id stack_append(struct stacks *s, stack_id parent, str_id name);

/* Adds the weight of one sample to the stack that ends at id. */
void stack_add(struct stacks *s, stack_id id, uint64_t weight, uint32_t fraction);

#endif
