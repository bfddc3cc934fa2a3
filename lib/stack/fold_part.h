/*
 * fold_part - adds the fold of another process of the program, which folds a part of the profile.
 *
 * Both processes begin with the same fold.  New labels and stacks are sent once, and weights are
 * sent as differences.  Sites and slices are not sent.
 */
#ifndef STACK_FOLD_PART_H
#define STACK_FOLD_PART_H

#include "base/parcel.h"
#include "stack/fold.h"

/* Numbers of labels, stacks and origins that the other process has. */
struct fold_sent {
	size_t labels, stacks, origins;
	struct fold_base {
		size_t labels, stacks;
	} base; /* numbers of labels and stacks that both had at first */
};

/* Call it once in a new process. */
void fold_part_begin(struct fold *f, struct fold_sent *sent);

/* Writes what was added since the last call. */
void fold_part_send(struct fold *f, struct fold_sent *sent, struct out *to);

/* The labels and stacks of a sender, as numbers in this fold.  Empty if all bytes are zero. */
struct fold_known {
	struct fold_base base;
	str_id *label;
	stack_id *stack;
	size_t nlabels, labels_cap, nstacks, stacks_cap;
};

void fold_part_take(struct fold *f, struct fold_known *known, struct cursor *from);

#endif
