/*
 * calls - the callers of some functions, and their callees.
 *
 * If several of these functions are on a stack, the outermost one counts.  Frames above it are
 * its callers.  Frames below it are its callees, which may include the function itself if it
 * calls itself.
 */
#ifndef STACK_CALLS_H
#define STACK_CALLS_H

#include "stack/group.h"

enum calls_way { CALLS_CALLERS, CALLS_CALLEES };

/*
 * Makes a tree of the callers, nearest first, or of the callees, below node 0 of out.  names
 * becomes the names of its nodes.  of: the result of group_nodes for GROUP_FUNCTION.  wanted:
 * true for the groups of the functions.  The sum of all weights is the weight of the functions.
 */
void calls_find(struct stacks *out, struct interner *names, enum calls_way way,
                const struct fold *f, const struct groups *of, const bool *wanted,
                struct arena *a);

#endif
