/*
 * calls - makes a tree of the callers of some functions, or of their callees.  If several of
 * these functions are on a stack, only the outermost one is considered.  Frames nearer to the
 * root are its callers, and frames nearer to the leaf are its callees.  A recursive function is
 * its own callee.
 */
#ifndef STACK_CALLS_H
#define STACK_CALLS_H

#include "stack/group.h"

enum calls_way { CALLS_CALLERS, CALLS_CALLEES };

/*
 * Makes a tree of the callers, nearest first, or of the callees, below node 0 of out.  Stores the
 * names of its nodes in `names`.  `of` is the result of group_nodes for GROUP_FUNCTION.
 * wanted[i] is true if group i is one of the functions.  The sum of all weights is the weight of
 * the functions.
 */
void calls_find(struct stacks *out, struct interner *names, enum calls_way way,
                const struct fold *f, const struct groups *of, const bool *wanted,
                struct arena *a);

#endif
