/* elf_cache - functions of ELF files in the cache, sorted and chosen by elf_symbols. */
#ifndef IMAGE_ELF_ELF_CACHE_H
#define IMAGE_ELF_ELF_CACHE_H

#include "cache/cache.h"
#include "image/elf/elf.h"
#include "image/symtab.h"

/* Finds the entry by `of`, the checksum of the files.  Returns false if there is no entry. */
bool elf_cache_load(struct cache *c, struct cache_sum of, const struct elf *const *e,
                    size_t n, struct symtab *t, struct arena *a);
void elf_cache_store(struct cache *c, struct cache_sum of, const struct elf *const *e,
                     size_t n, const struct symtab *t);

/* The bytes of an entry, written and read.  Returns false if they are damaged. */
struct str elf_cache_write(const struct symtab *t, const struct elf *const *e, size_t n,
                           struct arena *a);
bool elf_cache_read(struct str entry, const struct elf *const *e, size_t n,
                    struct symtab *t, struct arena *a);

#endif
