/*
 * repeated_stacks - lets the first pass over a text skip most stacks that it has delivered before.
 * Private to reader/.
 *
 * The pass that collects the names of a text needs each stack only once, but most samples repeat
 * a stack.  The first bytes of a stack select a slot.  The slot remembers the last stack that
 * selected it.  The number of stacks and their length are limited.  All bytes of a stack are
 * compared before its lines are parsed.
 */
#ifndef READER_PERFTEXT_REPEATED_STACKS_H
#define READER_PERFTEXT_REPEATED_STACKS_H

#include "base/arena.h"

struct repeated_stacks;

/*
 * If `stays` is set, the bytes passed to repeated_stacks_keep must stay valid.  Otherwise they
 * are copied, and repeated_stacks_free releases the copies.  Other memory is in `run`.
 * repeated_stacks_free accepts NULL.
 */
struct repeated_stacks *repeated_stacks_new(struct arena *run, bool stays);
void repeated_stacks_free(struct repeated_stacks *sp);

/*
 * If the stack at the start of `text` is remembered for this thread, returns its length,
 * including the empty line after it.  Otherwise returns 0.
 */
size_t repeated_stacks_find(const struct repeated_stacks *sp, struct str text,
                            int32_t tid);

/*
 * Remembers a stack unless it is too long.  `stack` consists of complete lines, and the last one
 * is empty.
 */
void repeated_stacks_keep(struct repeated_stacks *sp, struct str stack, int32_t tid);

#endif
