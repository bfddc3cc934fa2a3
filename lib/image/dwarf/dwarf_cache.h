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
 * What was read of the file whose bytes `of` tells, and of the one with what is common.
 * NULL: the cache has nothing of it.
 */
struct dwarf *dwarf_cache_load(struct cache *c, struct cache_sum of, struct str bytes,
                               struct arena *a);

/* Keeps what was read of it since; split units are not kept. */
void dwarf_cache_keep(struct dwarf *d, struct cache *c, struct cache_sum of);

/*
 * An entry of the cache, which begins with CACHE_HEAD bytes and its front, written and
 * read; c NULL: checksums behind the front are not looked at.  NULL: it is damaged.
 */
struct str dwarf_cache_write(struct dwarf *d, const struct cache *c, struct str *front,
                             struct arena *a);
struct dwarf *dwarf_cache_read(const struct cache *c, struct str entry, struct str front,
                               struct str bytes, struct arena *a);

/* For dwarf.c: takes what the cache has of a unit, its tree or its lines or both. */
struct unit;
void dwarf_cache_take(struct unit *u);

/* For dwarf.c: when nothing of d is used any more. */
void dwarf_cache_unload(struct dwarf *d);

#endif
