/*
 * made - stores bytes that a reader produces from the members of a source.
 *
 * The bytes are stored like members: they count toward the same limit, and are valid until
 * source_close.
 */
#ifndef SOURCE_MADE_H
#define SOURCE_MADE_H

#include "source/source.h"

/* Returns the number of bytes that can still be added, in memory or in TMPDIR. */
uint64_t made_room(const struct source *s);

/*
 * Appends bytes.  Returns -1 with errno set after an error.  errno is EFBIG if the limit would be
 * exceeded.
 */
int made_put(struct source *s, struct str bytes);

/* Replaces bytes that were appended.  Returns -1 with errno set after an error. */
int made_set(struct source *s, uint64_t at, struct str bytes);

/* made_size returns the number of bytes.  made_drop discards the bytes after the first `size`. */
uint64_t made_size(const struct source *s);
void made_drop(struct source *s, uint64_t size);

/*
 * Maps all bytes.  Call it after the last byte was added.  Returns a NULL string with errno set
 * after an error.
 */
struct str made_map(struct source *s);

/* Releases the memory of mapped bytes, in whole pages, if the bytes are in a file. */
void made_give_back(const struct source *s, struct str bytes);

#endif
