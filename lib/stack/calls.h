/*
 * calls - the callers of some functions, and their callees.
 *
 * A stack counts by the outermost of these functions on it.  The callers are above that frame,
 * and the callees below it, including the function itself if it calls itself.
 */
#ifndef STACK_CALLS_H
#define STACK_CALLS_H

#include "stack/group.h"

enum calls_way { CALLS_CALLERS, CALLS_CALLEES };

/*
 * Makes a tree of the callers, nearest first, or of the callees, below node 0.  names names it.
 * of: the groups of group_nodes for GROUP_FUNCTION.  wanted: by group. The sum of all weights is
 * the weight of the functions.
 */
void calls_find(struct stacks *out, struct interner *names, enum calls_way way,
                const struct fold *f, const struct groups *of, const bool *wanted,
                struct arena *a);

#endif
