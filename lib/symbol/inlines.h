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

/* Returns the name of a source line, "FILE:LINE", or 0 if the file or the line is unknown. */
str_id inlines_line(struct frames *t, struct str file, uint32_t line);

/* Adds source lines, and the functions inlined there, to f, the frame that name names. */
void inlines_add(struct frames *t, const struct bind_query *q,
                 const struct bound_name *name, struct found *f);

#endif
