/*
 * repeated_stacks - finds stacks of a text that were delivered before.  Private to reader/.
 *
 * The pass that collects the names of a text needs each stack once, and most samples repeat one.
 * The last stack with a given start is remembered, up to a fixed number of stacks and of bytes
 * each.  A stack is compared completely, before its lines are parsed.
 */
#ifndef READER_PERFTEXT_REPEATED_STACKS_H
#define READER_PERFTEXT_REPEATED_STACKS_H

#include "base/arena.h"
#include "base/str.h"

struct repeated_stacks;

/*
 * stays: the bytes given to repeated_stacks_keep remain in place.  Otherwise they are copied, and
 * repeated_stacks_free, which accepts NULL, releases the copies.  run holds the rest.
 */
struct repeated_stacks *repeated_stacks_new(struct arena *run, bool stays);
void repeated_stacks_free(struct repeated_stacks *sp);

/*
 * Returns the length of the remembered stack of that thread at the start of text, including the
 * empty line after it, or 0.
 */
size_t repeated_stacks_find(const struct repeated_stacks *sp, struct str text,
                            int32_t tid);

/* Remembers a stack if it fits: stack is whole lines, the last one empty. */
void repeated_stacks_keep(struct repeated_stacks *sp, struct str stack, int32_t tid);

#endif
