/*
 * symtab - ranges of addresses with names, sorted, without overlaps.
 *
 * Ranges can be added in any order.  If definitions overlap, the later one counts and may
 * cut the earlier one into pieces.  The owner knows the address space (ip, rva).  Names
 * are borrowed.
 */
#ifndef IMAGE_SYMTAB_H
#define IMAGE_SYMTAB_H

#include "base/arena.h"

struct symbol {
	uint64_t start, end; /* of this piece */
	uint64_t base;       /* start of the function; offsets are counted from here */
	struct str name;
};

struct symtab {
	struct symbol *sym;
	size_t n, cap;
	bool sorted; /* set by symtab_sort, required for lookups */
};

/* Adds a range.  Ignores it if `size` is 0 or the range wraps around. */
void symtab_add(struct symtab *t, struct arena *a, uint64_t start, uint64_t size,
                struct str name);

/* Sorts the ranges.  Call it once, after the last symtab_add. */
void symtab_sort(struct symtab *t, struct arena *a);

/*
 * Adds to `out`, sorted, the ranges that symbols of different names share.  `t` must not
 * be sorted yet.
 */
void symtab_shared(const struct symtab *t, struct symtab *out, struct arena *a);

/* Returns NULL if no symbol contains addr. */
const struct symbol *symtab_find(const struct symtab *t, uint64_t addr);

/*
 * Returns true if the name is of padding in front of a function: "__pfx_f" and "__cfi_f"
 * of Linux, "m:f/1-CodeInfoPrologue" of Erlang.
 */
bool symtab_is_padding(struct str name);

/*
 * Number of bytes before and after a byte for which symtab_find_frame returns the same
 * result.
 */
struct symtab_span {
	uint64_t before, after;
};

/*
 * Returns the symbol of a frame at addr, or NULL.  caller: addr is a return address, so
 * the byte before it is looked up.  If that byte is padding or in no symbol, it is not
 * the end of a call.  Then the function was interrupted at addr, so a symbol that begins
 * at addr is preferred.  span may be NULL.
 */
const struct symbol *symtab_find_frame(const struct symtab *t, uint64_t addr, bool caller,
                                       struct symtab_span *span);

#endif
