/*
 * sort - sorts elements by rows of numbers, as strings are sorted by their bytes.
 *
 * A multikey quicksort: elements with equal numbers at one place of their rows are sorted by the
 * next place.  No number is read twice, and rows can have any length.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "base/str.h"

struct sort_item {
	uint64_t key; /* belongs to the sort */
	uint32_t id;  /* an id of the caller */
};

/*
 * Sets *key to the number at place `at` of the row of id.  Returns false if the row has ended.
 * Rows that are equal up to a place end there together.
 */
typedef bool sort_key(const void *ctx, uint32_t id, size_t at, uint64_t *key);

/* Not stable. */
void sort_by_keys(struct sort_item *items, size_t n, sort_key *key, const void *ctx);

/*
 * A sort_key's number for a string, with seven bytes in each.  The order is the order of str_cmp.
 */
bool sort_str_key(struct str s, size_t at, uint64_t *key);

#endif
