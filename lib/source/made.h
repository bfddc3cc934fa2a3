/*
 * made - bytes that a reader makes of a source's members, kept as the source keeps its own:
 * within the same bound, and until source_close.
 */
#ifndef SOURCE_MADE_H
#define SOURCE_MADE_H

#include "source/source.h"

/* Bytes that may still be kept, in memory or in TMPDIR. */
uint64_t made_room(const struct source *s);

/* Appends bytes.  Returns -1 with errno set, to EFBIG if that would exceed the bound. */
int made_put(struct source *s, struct str bytes);

/* Returns the size, and truncates to a size. */
uint64_t made_size(const struct source *s);
void made_drop(struct source *s, uint64_t size);

/* Maps all of it, after the last byte was added.  p is NULL, with errno set, on failure. */
struct str made_map(struct source *s);

#endif
