/*
 * found - what debug information adds to a name; private to symbol/.
 */
#ifndef SYMBOL_FOUND_H
#define SYMBOL_FOUND_H

#include "symbol/resolve.h"

/* Adds to f, which is name, source lines and the functions compiled into it. */
void found_add_places(struct profile *p, const struct bind_query *q,
                      const struct bound_name *name, struct found *f);

#endif
