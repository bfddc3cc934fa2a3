/*
 * sort - sorts elements by rows of numbers, in the way that strings are sorted by their
 * bytes.
 *
 * It is a multikey quicksort.  Elements with equal numbers at one place of their rows are
 * sorted by the next place.  No number is read twice, and rows can have any length.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "base/str.h"

struct sort_item {
	uint64_t key; /* belongs to the sort */
	uint32_t id;  /* an id that the caller chooses */
};

/*
 * Sets *key to the number at place `at` of the row of `id`.  Returns false if the row has
 * ended.  If rows are equal up to a place, they must all end at that place, or none of
 * them.
 */
typedef bool sort_key(const void *ctx, uint32_t id, size_t at, uint64_t *key);

/* Not stable. */
void sort_by_keys(struct sort_item *items, size_t n, sort_key *key, const void *ctx);

/*
 * A sort_key for strings: each number contains seven bytes.  It sorts strings as str_cmp
 * does.
 */
bool sort_str_key(struct str s, size_t at, uint64_t *key);

#endif
