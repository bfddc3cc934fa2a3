/*
 * stack - represents stacks as a tree of integers.  Folding a sample adds its weight to a node.
 *
 * A stack is a path from the root.  Pushing a name below a node needs one hash lookup.  Node 0 is
 * the root, and has no name.  A parent has a smaller id than its children, so one loop from the
 * last to the first node computes totals.
 */
#ifndef STACK_STACK_H
#define STACK_STACK_H

#include "base/intern.h"

typedef uint32_t stack_id;

struct stack_node {
	stack_id parent;
	str_id name;
	uint64_t self;     /* weight of the samples with exactly this stack.  Saturates */
	uint32_t fraction; /* fractional part of `self`, in billionths */
};

/*
 * A slot of the hash table.  The node contains the key (parent and name), so a slot needs half
 * the memory of a slot in struct table.
 */
struct stack_slot {
	uint32_t hash;
	stack_id id; /* 0 if the slot is free, because the root is nobody's child */
};

/* The position in a stack while its frames are pushed.  `state` is a set of RULE_*. */
struct stack_place {
	stack_id id;
	uint8_t state;
};

struct stacks {
	struct arena *arena;
	struct stack_node *node;
	size_t n, cap;
	struct stack_slot *slots; /* (parent, name) -> id of the node */
	size_t nslots, used;      /* nslots is 0 or a power of two */
};

void stack_init(struct stacks *s, struct arena *arena);

/* Returns the node with that name below parent, and adds it if it is new. */
stack_id stack_push(struct stacks *s, stack_id parent, str_id name);

/* Adds the weight of a sample to the stack that ends at id. */
void stack_add(struct stacks *s, stack_id id, uint64_t weight, uint32_t fraction);

#endif
