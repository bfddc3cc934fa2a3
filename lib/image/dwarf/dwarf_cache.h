/*
 * dwarf_cache - stores parsed DWARF in the cache.
 *
 * An entry contains only the units that were looked up.  If a later run reads more units from
 * the file, it adds another part with these units to the entry.
 */
#ifndef IMAGE_DWARF_DWARF_CACHE_H
#define IMAGE_DWARF_DWARF_CACHE_H

#include "cache/cache.h"
#include "image/dwarf/dwarf.h"

/*
 * Loads the cached tables of a file and of its common file.  Returns NULL if the cache has no
 * entry.
 */
struct dwarf *dwarf_cache_load(struct cache *c, const struct cache_name *name,
                               struct str bytes, struct arena *a);

/*
 * Updates the entry if units were read from the file.  Files with split units are not cached.  If
 * the caller must order the entry from the keeper (cache/order.h), returns a list of addresses
 * (uint64_t).  A process that looks up these addresses reads the same units.  Otherwise returns an
 * empty string.
 */
struct str dwarf_cache_keep(struct dwarf *d, struct cache *c,
                            const struct cache_name *name, struct arena *a);

/*
 * Convert the tables to an entry, and back.  An entry begins with CACHE_HEAD bytes and the front.
 * If c is NULL, the checksums of blocks are not verified.  dwarf_cache_read returns NULL if the
 * entry is damaged.
 */
struct str dwarf_cache_write(struct dwarf *d, const struct cache *c, struct str *front,
                             struct arena *a);
struct dwarf *dwarf_cache_read(const struct cache *c, struct str entry, struct str front,
                               struct str bytes, struct arena *a);

/* For dwarf.c: takes the tree and the lines of a unit from the cache, if the cache has them. */
struct unit;
void dwarf_cache_take(struct unit *u);

/* Unmaps the entry of d.  Called only by dwarf.c. */
void dwarf_cache_unload(struct dwarf *d);

#endif
