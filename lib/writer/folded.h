/*
 * folded - stacks as lines, "root;caller;leaf WEIGHT".
 *
 * One line for each stack with a weight.  Names must not contain ';' or control bytes.
 */
#ifndef WRITER_FOLDED_H
#define WRITER_FOLDED_H

#include "base/out.h"
#include "stack/stack.h"

/*
 * Uses the bytes of the line, as LC_ALL=C sort does, or of the stack without its weight: then
 * "a;b 7" precedes "a;b (c) 7".
 */
enum folded_order { FOLDED_BY_LINE, FOLDED_BY_STACK };

/*
 * Writes all of s in that order.  scratch holds the order (some words for each node) and one
 * line. Returns the number of lines.
 */
size_t folded_write(struct out *o, const struct stacks *s, const struct interner *names,
                    enum folded_order order, struct arena *scratch);

#endif
