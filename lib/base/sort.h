/*
 * sort - sorts elements by rows of numbers, in the same way as strings are sorted by bytes.
 *
 * The algorithm is multikey quicksort.  If elements have the same number at a position of their
 * rows, the next position decides.  No number is read twice, and rows may have any length.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "base/str.h"

struct sort_item {
	uint64_t key; /* used by the sort */
	uint32_t id;  /* an id that the caller chooses */
};

/*
 * Sets *key to the number at position `at` in the row of `id`.  Returns false if the row is
 * shorter.  No row may be the beginning of a longer row: if a row ends at a position, all rows
 * with the same earlier numbers must end there.
 */
typedef bool sort_key(const void *ctx, uint32_t id, size_t at, uint64_t *key);

/* The sort is not stable. */
void sort_by_keys(struct sort_item *items, size_t n, sort_key *key, const void *ctx);

/*
 * A sort_key for strings, with seven bytes in each number.  Sorts in the order of str_cmp.
 */
bool sort_str_key(struct str s, size_t at, uint64_t *key);

#endif
