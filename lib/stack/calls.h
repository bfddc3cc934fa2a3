/*
 * calls - makes trees of the callers or callees of given functions.
 *
 * If a stack contains several of these functions, only the outermost counts.  Frames nearer to
 * the root are its callers, and frames nearer to the leaf are its callees.  A recursive function
 * is its own callee.
 */
#ifndef STACK_CALLS_H
#define STACK_CALLS_H

#include "stack/group.h"

enum calls_way { CALLS_CALLERS, CALLS_CALLEES };

/*
 * Adds a tree of the callers, nearest first, or of the callees, below node 0 of out.  Stores the
 * names of the added nodes in `names`.  `of` is a result of group_nodes for GROUP_FUNCTION, and
 * `wanted` is true for the groups of the given functions.  The total weight of the tree is the
 * weight of these functions.
 */
void calls_find(struct stacks *out, struct interner *names, enum calls_way way,
                const struct fold *f, const struct groups *of, const bool *wanted,
                struct arena *a);

#endif
