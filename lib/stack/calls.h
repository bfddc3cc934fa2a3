/*
 * calls - who calls some functions, and what they call.
 *
 * A stack counts by the outermost of these functions on it: above that stand its callers,
 * below it what it calls, itself included where it calls itself.
 */
#ifndef STACK_CALLS_H
#define STACK_CALLS_H

#include "stack/group.h"

enum calls_way { CALLS_CALLERS, CALLS_CALLEES };

/*
 * The callers, nearest first, or what is called, as a tree that begins below node 0; it
 * is named by names.  of: what group_nodes has made for GROUP_FUNCTION; wanted: by group.
 * The sum of all weights is that of the functions.
 */
void calls_find(struct stacks *out, struct interner *names, enum calls_way way,
                const struct fold *f, const struct groups *of, const bool *wanted,
                struct arena *a);

#endif
