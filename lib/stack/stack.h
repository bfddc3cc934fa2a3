/*
 * stack - stacks as a tree of integers, so that folding is addition.
 *
 * A stack is a path from the root.  Pushing a name below a node is one hash lookup.  Node 0 is
 * the root and has no name.  A node's parent has a smaller id, so one loop from the last node to
 * the first adds up totals.
 */
#ifndef STACK_STACK_H
#define STACK_STACK_H

#include "base/intern.h"

typedef uint32_t stack_id;

struct stack_node {
	stack_id parent;
	str_id name;
	uint64_t self;     /* weight of the samples that end here, saturating */
	uint32_t fraction; /* fraction that is added to `self`, in billionths */
};

/*
 * A slot of the hash table.  The key, parent and name, is in the node, so a slot uses half the
 * memory of a struct table.
 */
struct stack_slot {
	uint32_t hash;
	stack_id id; /* 0 if the slot is free, because the root is not a child */
};

/* The place in a stack while its frames are pushed.  `state` is a set of RULE_*. */
struct stack_place {
	stack_id id;
	uint8_t state;
};

struct stacks {
	struct arena *arena;
	struct stack_node *node;
	size_t n, cap;
	struct stack_slot *slots; /* (parent, name) -> node id */
	size_t nslots, used;      /* nslots is 0 or a power of two */
};

void stack_init(struct stacks *s, struct arena *arena);

/* Returns the node of name below parent, and adds it if it is new. */
stack_id stack_push(struct stacks *s, stack_id parent, str_id name);

/* Adds the weight of one sample to the stack that ends at id. */
void stack_add(struct stacks *s, stack_id id, uint64_t weight, uint32_t fraction);

#endif
