/*
 * sort - sorts things by rows of numbers, as strings are sorted by their bytes.
 *
 * A multikey quicksort: things whose numbers are equal at one place of their rows are sorted
 * by the next place.  No number is looked at twice, and rows may be as long as they like.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "base/str.h"

struct sort_item {
	uint64_t key; /* belongs to the sort */
	uint32_t id;  /* what it is, to the caller */
};

/*
 * Sets *key to the number at place `at` of the row of id; false: the row has ended.  Rows that
 * are equal up to a place end there together.
 */
typedef bool sort_key(const void *ctx, uint32_t id, size_t at, uint64_t *key);

/* Not stable. */
void sort_by_keys(struct sort_item *items, size_t n, sort_key *key, const void *ctx);

/*
 * A sort_key's number for a string, seven bytes in each: the order is that of str_cmp.
 */
bool sort_str_key(struct str s, size_t at, uint64_t *key);

#endif
