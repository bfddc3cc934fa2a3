/* graft - moves stacks of a fold below a new root frame. */
#ifndef STACK_GRAFT_H
#define STACK_GRAFT_H

#include "stack/fold.h"

struct graft {
	struct fold *fold;
	/* label of the new frame.  If empty, stacks are not moved */
	struct str label;
	/* private to graft.c, in fold->run */
	stack_id root; /* node of the new frame, or 0 before it is made */
	stack_id *to;  /* indexed by old stack: the new stack, or 0 before it is made */
	/* nodes without a new stack, on the path from a stack towards its root */
	stack_id *path;
	size_t cap, path_cap;
};

void graft_init(struct graft *g, struct fold *fold, struct str label);

/* Returns stack id with g's frame added at its root.  id must not be 0. */
stack_id graft_stack(struct graft *g, stack_id id);

#endif
