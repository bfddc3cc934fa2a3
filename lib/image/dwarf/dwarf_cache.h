/*
 * dwarf_cache - what was read of DWARF, kept in the cache.
 *
 * Only what addresses have asked for is there; the rest is read from the file, and the
 * entry is written anew when more of it was read.
 */
#ifndef IMAGE_DWARF_DWARF_CACHE_H
#define IMAGE_DWARF_DWARF_CACHE_H

#include "cache/cache.h"
#include "image/dwarf/dwarf.h"

/*
 * The state kept of the file, and its common file, whose bytes have the checksum `of`.
 * NULL: the cache has none.
 */
struct dwarf *dwarf_cache_load(struct cache *c, struct cache_sum of, struct str bytes,
                               struct arena *a);

/* Writes what was read since into the cache; files with split units are not kept. */
void dwarf_cache_keep(struct dwarf *d, struct cache *c, struct cache_sum of);

/*
 * An entry of the cache, which begins with CACHE_HEAD bytes and its front, written and
 * read; c NULL: checksums behind the front are not verified.  NULL: it is damaged.
 */
struct str dwarf_cache_write(struct dwarf *d, const struct cache *c, struct str *front,
                             struct arena *a);
struct dwarf *dwarf_cache_read(const struct cache *c, struct str entry, struct str front,
                               struct str bytes, struct arena *a);

/* For dwarf.c: takes a unit's tree and lines from the cache, as far as it has them. */
struct unit;
void dwarf_cache_take(struct unit *u);

/* For dwarf.c: unmaps the entry. */
void dwarf_cache_unload(struct dwarf *d);

#endif
