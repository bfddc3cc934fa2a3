/*
 * sliced - folded stacks of all slices in one output, each stack below a frame that names
 * its slice:
 *
 *	000007;main;parse 3
 *
 * Slices stand in order, and the stacks of each in the order of writer/folded.h.
 */
#ifndef WRITER_SLICED_H
#define WRITER_SLICED_H

#include "stack/slices.h"
#include "writer/folded.h"

/*
 * slices are sorted, stacks is the tree they were added with.  Names of slices are added
 * to names; scratch is released after each slice.
 */
void sliced_write(struct out *o, const struct slices *slices, const struct stacks *stacks,
                  struct interner *names, enum folded_order order, struct arena *scratch);

#endif
