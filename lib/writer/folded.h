/*
 * folded - stacks as lines, "root;caller;leaf WEIGHT".
 *
 * Each stack with a weight has one line.  Names must not contain ';' or control bytes.
 */
#ifndef WRITER_FOLDED_H
#define WRITER_FOLDED_H

#include "base/out.h"
#include "stack/stack.h"

/*
 * Lines are sorted by all bytes, as by LC_ALL=C sort, or by the bytes of the stack without its
 * weight.  In the second order, "a;b 7" precedes "a;b (c) 7".
 */
enum folded_order { FOLDED_BY_LINE, FOLDED_BY_STACK };

/*
 * Writes all stacks in that order, and returns the number of lines.  scratch holds the order
 * (some words for each node) and one line.
 */
size_t folded_write(struct out *o, const struct stacks *s, const struct interner *names,
                    enum folded_order order, struct arena *scratch);

#endif
