/*
 * symtab - ranges of addresses with names, sorted, without overlaps.
 *
 * Filled in any order; where definitions overlap the later one counts, which may cut
 * the earlier one into pieces.  The owner knows the address space (ip, rva).  Names
 * are borrowed.
 */
#ifndef IMAGE_SYMTAB_H
#define IMAGE_SYMTAB_H

#include "base/arena.h"

struct symbol {
	uint64_t start, end; /* of this piece */
	uint64_t base;       /* where the function begins: what offsets count from */
	struct str name;
};

struct symtab {
	struct symbol *sym;
	size_t n, cap;
	bool sorted; /* by symtab_sort; lookups need it */
};

/* Ignored when size is 0 or the range wraps around. */
void symtab_add(struct symtab *t, struct arena *a, uint64_t start, uint64_t size,
                struct str name);

/* Once, after the last symtab_add. */
void symtab_sort(struct symtab *t, struct arena *a);

/*
 * Adds to out, sorted, the ranges that symbols of different names have in common; t is what
 * symtab_add made of it and not sorted yet.
 */
void symtab_shared(const struct symtab *t, struct symtab *out, struct arena *a);

/* NULL when no symbol holds addr. */
const struct symbol *symtab_find(const struct symtab *t, uint64_t addr);

/* Where no symbol holds addr: the end of the one before it and the start of the next. */
void symtab_gap(const struct symtab *t, uint64_t addr, uint64_t *start, uint64_t *end);

#endif
