/*
 * made - bytes that a reader produces from a source's members.
 *
 * They are stored in the same way as the members: within the same limit, and until
 * source_close.
 */
#ifndef SOURCE_MADE_H
#define SOURCE_MADE_H

#include "source/source.h"

/* Returns the number of bytes that may still be added, in memory or in TMPDIR. */
uint64_t made_room(const struct source *s);

/* Appends bytes.  Returns -1 with errno set, to EFBIG if they would exceed the limit. */
int made_put(struct source *s, struct str bytes);

/* Replaces bytes that were appended.  Returns -1 with errno set. */
int made_set(struct source *s, uint64_t at, struct str bytes);

/* Returns the size, and truncates to a size. */
uint64_t made_size(const struct source *s);
void made_drop(struct source *s, uint64_t size);

/*
 * Maps all bytes.  Call it after the last byte was added.  Returns a NULL string, with
 * errno set, on failure.
 */
struct str made_map(struct source *s);

/* Releases the memory of whole pages of mapped bytes that are in a file. */
void made_give_back(const struct source *s, struct str bytes);

#endif
