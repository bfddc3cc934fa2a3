/*
 * symtab - a sorted table of named address ranges without overlaps.
 *
 * Ranges can be added in any order.  If two ranges overlap, the one that was added later wins,
 * and may split the earlier one.  The owner of the table knows the address space (ip, rva).  The
 * table does not copy names.
 */
#ifndef IMAGE_SYMTAB_H
#define IMAGE_SYMTAB_H

#include "base/arena.h"

struct symbol {
	/* bounds of this range.  A range may be a part of a function */
	uint64_t start, end;
	uint64_t base; /* start of the function, from which offsets are counted */
	struct str name;
};

struct symtab {
	struct symbol *sym;
	size_t n, cap;
	bool sorted; /* set by symtab_sort, which lookups require */
};

/* Adds a range.  Ignores an empty range, and a range that exceeds the address space. */
void symtab_add(struct symtab *t, struct arena *a, uint64_t start, uint64_t size,
                struct str name);

/*
 * Sorts the ranges.  Call it once, after all calls of symtab_add, with the same arena.  If the
 * ranges are in order, the table keeps its memory.
 */
void symtab_sort(struct symtab *t, struct arena *a);

/*
 * Adds the ranges that have several names in t to `out`, in ascending order.  `t` must not be
 * sorted yet.
 */
void symtab_shared(const struct symtab *t, struct symtab *out, struct arena *a);

/* Returns the symbol that contains addr, or NULL. */
const struct symbol *symtab_find(const struct symtab *t, uint64_t addr);

/* As symtab_find.  *near is the index of the last result, which is tried first, or 0. */
const struct symbol *symtab_find_near(const struct symtab *t, uint64_t addr,
                                      size_t *near);

/*
 * Returns true for names of padding before a function: "__pfx_f" and "__cfi_f" of Linux,
 * "m:f/1-CodeInfoPrologue" of Erlang.
 */
bool symtab_is_padding(struct str name);

/*
 * The range around a looked-up address in which symtab_find_frame returns the same symbol: the
 * numbers of bytes before and after the looked-up address.
 */
struct symtab_span {
	uint64_t before, after;
};

/*
 * Returns the symbol of a frame at addr, or NULL.  If `caller` is true, addr is a return address,
 * and the byte before addr is looked up.  If this byte is padding or has no symbol, it cannot be
 * the end of a call.  A symbol that begins at addr is then preferred.  `span` may be NULL.
 */
const struct symbol *symtab_find_frame(const struct symtab *t, uint64_t addr, bool caller,
                                       struct symtab_span *span);

#endif
