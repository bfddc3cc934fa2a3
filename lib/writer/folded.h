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
 * Order of the lines: by all bytes, as in LC_ALL=C sort, or by the bytes of the stack.  In the
 * second order, "a;b 7" precedes "a;b (c) 7".
 */
enum folded_order { FOLDED_BY_LINE, FOLDED_BY_STACK };

/*
 * Writes all stacks in that order, and returns the number of lines.  Uses scratch for the order
 * (some words for each node) and for a line.
 */
size_t folded_write(struct out *o, const struct stacks *s, const struct interner *names,
                    enum folded_order order, struct arena *scratch);

#endif
