/* inlines - adds source lines and inlined functions to frames.  Private to symbol/. */
#ifndef SYMBOL_INLINES_H
#define SYMBOL_INLINES_H

#include "symbol/resolve.h"

/*
 * Returns true if the file that gave `name` can add source lines or inlined functions.  Managed
 * code has only lines.
 */
bool inlines_may_add(const struct frames *t, const struct bind_query *q,
                     const struct bound_name *name);

/*
 * Adds an inlined function to the frame that is being made, and returns it.  Call it for the
 * innermost function first.
 */
struct named *inlines_push(struct frames *t, str_id func);

/* Returns the name of a source line, "FILE:LINE", or 0 if the file or the line is unknown. */
str_id inlines_line(struct frames *t, struct str file, uint32_t line);

/*
 * Adds the source line and the inlined functions at q's address to the frame that is being
 * made.  `name` is the name of this address in a file.
 */
void inlines_add(struct frames *t, const struct bind_query *q,
                 const struct bound_name *name);

#endif
