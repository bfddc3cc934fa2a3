/*
 * folded - stacks as lines, "root;caller;leaf WEIGHT".
 *
 * One line for each stack that has a weight, sorted by the bytes of the line, as
 * LC_ALL=C sort would.  Names must hold neither ';' nor control bytes.
 */
#ifndef WRITER_FOLDED_H
#define WRITER_FOLDED_H

#include "base/out.h"
#include "stack/stack.h"

/*
 * Writes all of s; scratch holds the order (some words a node) and one line.
 * Returns the number of lines.
 */
size_t folded_write(struct out *o, const struct stacks *s, const struct interner *names,
                    struct arena *scratch);

#endif
