/* elf_symbols - reads the functions of ELF files, with the names that perf uses. */
#ifndef IMAGE_ELF_ELF_SYMBOLS_H
#define IMAGE_ELF_ELF_SYMBOLS_H

#include "image/elf/elf.h"
#include "image/symtab.h"

/*
 * A callback that returns a name in the spelling in which it is printed.  If several functions
 * have the same address, perf compares the printed names.
 */
struct elf_spelling {
	struct str (*spell)(void *ctx, struct str name);
	void *ctx;
};

/*
 * Adds the functions in the symbol tables of e[0] to e[n - 1] to `t`.  Converts all va to
 * addresses of e[n - 1].  Names live as long as the files' bytes and the arena.  Call it once for
 * each table.
 */
void elf_symbols(const struct elf *const *e, size_t n, const struct elf_spelling *sp,
                 struct symtab *t, struct arena *a);

/*
 * Sets *va to the address of the symbol with that name in .symtab.  Returns false if it is
 * missing.
 */
bool elf_symbols_find(const struct elf *e, struct str name, uint64_t *va);

#endif
