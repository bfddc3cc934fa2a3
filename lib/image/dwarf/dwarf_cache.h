/*
 * dwarf_cache - parsed DWARF in the cache.
 *
 * The cache contains only the units that were looked up.  Other units are read from the file, and
 * the entry is then written again.
 */
#ifndef IMAGE_DWARF_DWARF_CACHE_H
#define IMAGE_DWARF_DWARF_CACHE_H

#include "cache/cache.h"
#include "image/dwarf/dwarf.h"

/*
 * Returns the cached state of the file and of its common file, whose bytes have the checksum
 * `of`. Returns NULL if there is no entry.
 */
struct dwarf *dwarf_cache_load(struct cache *c, struct cache_sum of, struct str bytes,
                               struct arena *a);

/* Writes the units that were read since then to the cache, except for files with split units. */
void dwarf_cache_keep(struct dwarf *d, struct cache *c, struct cache_sum of);

/*
 * Reads an entry of the cache, which begins with CACHE_HEAD bytes and its front, and writes it
 * again.  If c is NULL, checksums after the front are not verified.  NULL if it is damaged.
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
