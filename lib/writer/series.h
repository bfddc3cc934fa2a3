/*
 * series - what the stacks of one input weigh, apart from the tree that they share with
 * other inputs.
 */
#ifndef WRITER_SERIES_H
#define WRITER_SERIES_H

#include "stack/stack.h"
#include "stack/weight.h"

/* Several are tabs, or the two sides of a difference. */
struct series {
	struct str name;     /* may be empty */
	struct weight *self; /* by stack_id, below n */
	size_t n;
	uint64_t samples; /* that its header tells of; 0: unknown */
};

/* The weight that ends at id. */
static inline struct weight series_self(const struct series *s, stack_id id)
{
	return id < s->n ? s->self[id] : (struct weight){ 0 };
}

/* Moves the weights of the stacks into a series. */
struct series series_take(struct stacks *s, struct str name, struct arena *arena);

#endif
