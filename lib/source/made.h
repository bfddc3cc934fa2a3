/*
 * made - bytes that a reader makes of a source's members, kept as the source keeps its own:
 * within the same bound, and until source_close.
 */
#ifndef SOURCE_MADE_H
#define SOURCE_MADE_H

#include "source/source.h"

/* Bytes that may still be kept, in memory or in TMPDIR. */
uint64_t made_room(const struct source *s);

/* Appends bytes.  -1: errno says why, EFBIG when that would exceed the bound. */
int made_put(struct source *s, struct str bytes);

/* How much there is, and forgets what is behind that much. */
uint64_t made_size(const struct source *s);
void made_drop(struct source *s, uint64_t size);

/* All of it, mapped, when nothing more will be put in; p is NULL: errno says why. */
struct str made_map(struct source *s);

#endif
