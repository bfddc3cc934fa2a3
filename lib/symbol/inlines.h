/* inlines - source lines, and inlined functions.  Private to symbol/. */
#ifndef SYMBOL_INLINES_H
#define SYMBOL_INLINES_H

#include "symbol/resolve.h"

/*
 * Returns true if the file can add source lines or inlined functions.  Managed code has lines
 * only.
 */
bool inlines_may_add(const struct frames *t, const struct bind_query *q,
                     const struct bound_name *name);

/* Adds source lines, and the functions inlined there, to f, the frame that name names. */
void inlines_add(struct frames *t, const struct bind_query *q,
                 const struct bound_name *name, struct found *f);

#endif
