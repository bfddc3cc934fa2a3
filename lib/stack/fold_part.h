/*
 * fold_part - adds the fold of a worker, which has folded a part of the profile.
 *
 * The worker and its parent start with the same fold.  The worker sends new labels and stacks
 * once, and weights as differences.  Sites and slices are not sent.
 */
#ifndef STACK_FOLD_PART_H
#define STACK_FOLD_PART_H

#include "base/parcel.h"
#include "stack/fold.h"

/* Numbers of labels, stacks and origins that the parent of the worker already has. */
struct fold_sent {
	size_t labels, stacks, origins;
	struct fold_base {
		size_t labels, stacks;
	} base; /* numbers of labels and stacks when the worker started */
};

/* Prepares a worker.  Call it once after fork. */
void fold_part_begin(struct fold *f, struct fold_sent *sent);

/* Writes the labels, stacks, origins and weights that were added since the last call. */
void fold_part_send(struct fold *f, struct fold_sent *sent, struct out *to);

/*
 * Tables that convert a worker's numbers of labels and stacks to numbers of this fold.  Zero bytes
 * are a valid empty state.
 */
struct fold_known {
	struct fold_base base;
	str_id *label;
	stack_id *stack;
	size_t nlabels, labels_cap, nstacks, stacks_cap;
};

void fold_part_take(struct fold *f, struct fold_known *known, struct cursor *from);

#endif
