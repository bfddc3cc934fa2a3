/*
 * folded - writes stacks as lines: "root;caller;leaf WEIGHT".
 *
 * Each stack with a weight has a line.  Names must not contain ';' or control characters.
 */
#ifndef WRITER_FOLDED_H
#define WRITER_FOLDED_H

#include "base/out.h"
#include "stack/stack.h"

/*
 * FOLDED_BY_LINE sorts lines by all bytes, as LC_ALL=C sort does.  FOLDED_BY_STACK sorts them by
 * the stack without its weight, so that "a;b 7" precedes "a;b (c) 7".
 */
enum folded_order { FOLDED_BY_LINE, FOLDED_BY_STACK };

/*
 * Writes all stacks in the given order, and returns the number of lines.  Needs some words of
 * scratch memory for each node, and room for one line.
 */
size_t folded_write(struct out *o, const struct stacks *s, const struct interner *names,
                    enum folded_order order, struct arena *scratch);

#endif
