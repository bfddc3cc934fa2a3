/* elf_cache - stores functions of ELF files in the cache, after elf_symbols has sorted them. */
#ifndef IMAGE_ELF_ELF_CACHE_H
#define IMAGE_ELF_ELF_CACHE_H

#include "cache/cache.h"
#include "image/elf/elf.h"
#include "image/symtab.h"

/*
 * Loads the functions of the files e[0] to e[n - 1].  Returns false if the cache has no such
 * entry.
 */
bool elf_cache_load(struct cache *c, const struct cache_name *name,
                    const struct elf *const *e, size_t n, struct symtab *t,
                    struct arena *a);

/*
 * Stores the functions.  If this process must not store them, returns true.  The caller must then
 * order the entry from the keeper (cache/order.h).
 */
bool elf_cache_store(struct cache *c, const struct cache_name *name,
                     const struct elf *const *e, size_t n, const struct symtab *t);

/*
 * Converts the functions to the bytes of an entry, and back.  elf_cache_read returns
 * false if the entry is damaged.
 */
struct str elf_cache_write(const struct symtab *t, const struct elf *const *e, size_t n,
                           struct arena *a);
bool elf_cache_read(struct str entry, const struct elf *const *e, size_t n,
                    struct symtab *t, struct arena *a);

#endif
