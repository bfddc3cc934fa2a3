/*
 * fold_part - sends the fold of a worker process, which folds a part of the profile, to the first
 * process.
 *
 * Both processes begin with the same fold.  Each new label and stack is sent once.  Weights are
 * sent as differences.  Sites and slices are not sent.
 */
#ifndef STACK_FOLD_PART_H
#define STACK_FOLD_PART_H

#include "base/parcel.h"
#include "stack/fold.h"

/* Numbers of labels, stacks and origins that were already sent. */
struct fold_sent {
	size_t labels, stacks, origins;
	struct fold_base {
		size_t labels, stacks;
	} base; /* numbers of labels and stacks when the worker began */
};

/* Call it once in each new worker. */
void fold_part_begin(struct fold *f, struct fold_sent *sent);

/* Writes the labels, stacks, origins and weights that were added since the last call. */
void fold_part_send(struct fold *f, struct fold_sent *sent, struct out *to);

/*
 * Maps the numbers of labels and stacks of a worker to numbers of this fold.  It is initially
 * zero.
 */
struct fold_known {
	struct fold_base base;
	str_id *label;
	stack_id *stack;
	size_t nlabels, labels_cap, nstacks, stacks_cap;
};

void fold_part_take(struct fold *f, struct fold_known *known, struct cursor *from);

#endif
