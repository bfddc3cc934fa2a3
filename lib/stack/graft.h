/* graft - stacks of a fold below one frame, which precedes their roots. */
#ifndef STACK_GRAFT_H
#define STACK_GRAFT_H

#include "stack/fold.h"

struct graft {
	struct fold *fold;
	struct str label; /* of the frame, or empty to leave stacks in place */
	/* private to graft.c, in fold->run */
	stack_id root;  /* 0: the frame is not made yet */
	stack_id *to;   /* by stack, or 0 if not known yet */
	stack_id *path; /* from a stack to its root, as far as it is new */
	size_t cap, path_cap;
};

void graft_init(struct graft *g, struct fold *fold, struct str label);

/* The stack with the frames of id, which is not 0, below g's frame. */
stack_id graft_stack(struct graft *g, stack_id id);

#endif
