/*
 * repeated_stacks - the stacks of a text that were delivered before; private to reader/.
 *
 * Who wants the names that a text holds wants each stack once, and most samples repeat
 * one.  Of the stacks that begin with the same bytes the last one is remembered, up to
 * a fixed number of them and of bytes each: then a stack is known again by comparing
 * it as a whole, before its lines are looked for.
 */
#ifndef READER_PERFTEXT_REPEATED_STACKS_H
#define READER_PERFTEXT_REPEATED_STACKS_H

#include "base/arena.h"
#include "base/str.h"

struct repeated_stacks;

/*
 * stays: what repeated_stacks_keep is given stays where it is; else it is copied, and repeated_stacks_free,
 * which accepts NULL, releases the copies.  run holds the rest.
 */
struct repeated_stacks *repeated_stacks_new(struct arena *run, bool stays);
void repeated_stacks_free(struct repeated_stacks *sp);

/*
 * text begins with a stack of that thread that is remembered: its bytes, the empty line
 * behind it included.  0: it does not.
 */
size_t repeated_stacks_find(const struct repeated_stacks *sp, struct str text,
                            int32_t tid);

/* Remembers a stack, or not: stack is whole lines, the last one empty. */
void repeated_stacks_keep(struct repeated_stacks *sp, struct str stack, int32_t tid);

#endif
