/*
 * symtab - ranges of addresses with names, sorted, without overlaps.
 *
 * Ranges can be added in any order.  If definitions overlap, the later one counts and may cut the
 * earlier one into pieces.  The owner knows the address space (ip, rva).  Names are borrowed.
 */
#ifndef IMAGE_SYMTAB_H
#define IMAGE_SYMTAB_H

#include "base/arena.h"

struct symbol {
	uint64_t start, end; /* of this piece */
	uint64_t base;       /* start of the function, from which offsets count */
	struct str name;
};

struct symtab {
	struct symbol *sym;
	size_t n, cap;
	bool sorted; /* by symtab_sort.  Lookups need it */
};

/* Ignored when size is 0 or the range wraps around. */
void symtab_add(struct symtab *t, struct arena *a, uint64_t start, uint64_t size,
                struct str name);

/* Once, after the last symtab_add. */
void symtab_sort(struct symtab *t, struct arena *a);

/*
 * Adds to out, sorted, the ranges that symbols of different names share.  t was filled by
 * symtab_add and is not sorted yet.
 */
void symtab_shared(const struct symtab *t, struct symtab *out, struct arena *a);

/* NULL when no symbol holds addr. */
const struct symbol *symtab_find(const struct symtab *t, uint64_t addr);

/*
 * True: name is of padding in front of a function, not of code: "__pfx_f" and "__cfi_f" of
 * Linux, "m:f/1-CodeInfoPrologue" of Erlang.
 */
bool symtab_is_padding(struct str name);

/* The bytes before and after a byte for which symtab_find_frame has the same answer. */
struct symtab_span {
	uint64_t before, after;
};

/*
 * Returns the symbol of a frame at addr, or NULL.  caller: addr is a return address, so the
 * byte before it is looked up.  If that byte is padding or in no symbol, no call is there: then
 * addr was interrupted, and counts if a symbol begins there.  span may be NULL.
 */
const struct symbol *symtab_find_frame(const struct symtab *t, uint64_t addr, bool caller,
                                       struct symtab_span *span);

#endif
