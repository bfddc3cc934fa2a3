/*
 * stack - keeps stacks as a tree of numbered nodes.  A stack is identified by its last node, so
 * adding a sample is one addition.  Pushing a name below a node needs one hash lookup.  Node 0 is
 * the root and has no name.  The parent of a node has a smaller id, so one loop from the last
 * node to the first computes totals.
 */
#ifndef STACK_STACK_H
#define STACK_STACK_H

#include "base/intern.h"

typedef uint32_t stack_id;

struct stack_node {
	stack_id parent;
	str_id name;
	uint64_t self; /* weight of the samples that end at this node.  It saturates */
	uint32_t fraction; /* fraction that is added to `self`, in billionths */
};

/*
 * A slot of the hash table of nodes.  The key (parent and name) is in the node, so a slot is half
 * as large as one of struct table.
 */
struct stack_slot {
	uint32_t hash;
	stack_id id; /* node id, or 0 if the slot is free */
};

/*
 * The last node of a stack while its frames are pushed, and the state of the rules: a set of
 * RULE_*.
 */
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
