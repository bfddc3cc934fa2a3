/* elf_symbols - the functions of ELF files, as perf names them. */
#ifndef IMAGE_ELF_ELF_SYMBOLS_H
#define IMAGE_ELF_ELF_SYMBOLS_H

#include "image/elf/elf.h"
#include "image/symtab.h"

/* The printed form of a name, which perf uses to choose among several at one address. */
struct elf_spelling {
	struct str (*spell)(void *ctx, struct str name);
	void *ctx;
};

/*
 * Adds the functions in the symbol tables of e[0] to e[n - 1] to t, by va of the last file.
 * Names live as long as the files' bytes and the arena.  Call it once for each table.
 */
void elf_symbols(const struct elf *const *e, size_t n, const struct elf_spelling *sp,
                 struct symtab *t, struct arena *a);

/*
 * Sets the va of the symbol with that name in .symtab.  Returns false if there is no such symbol.
 */
bool elf_symbols_find(const struct elf *e, struct str name, uint64_t *va);

#endif
