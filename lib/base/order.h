/*
 * order - compares and adds numbers, and searches sorted arrays.
 */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Returns a negative number if a < b, 0 if both are equal, otherwise a positive number. */
#define num_cmp(a, b) (((a) > (b)) - ((a) < (b)))

/* Returns a + b, or UINT64_MAX if the sum is larger. */
static inline uint64_t num_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/*
 * Returns the number of elements at the start of a sorted array for which `before` is true.
 * `before` is an expression with the index i of an element.  The array has n elements.
 */
#define bisect(n, i, before)                                                             \
	({                                                                               \
		size_t low_ = 0, high_ = (n);                                            \
                                                                                         \
		while (low_ < high_) {                                                   \
			size_t i = low_ + (high_ - low_) / 2;                            \
                                                                                         \
			if (before)                                                      \
				low_ = (i) + 1;                                          \
			else                                                             \
				high_ = (i);                                             \
		}                                                                        \
		low_;                                                                    \
	})

/*
 * Defines the function `name`, which compares two elements for order_by and bsearch.  `order` is
 * an expression with the elements `a` and `b`: num_cmp(a->start, b->start).
 */
#define ORDER(name, type, order)                                                         \
	static int name(const void *a_, const void *b_)                                  \
	{                                                                                \
		const type *a = a_, *b = b_;                                             \
                                                                                         \
		return order;                                                            \
	}

/* Sorts an array of n elements, which may be NULL if n is 0.  The sort is not stable. */
#define order_by(items, n, compare)                                                      \
	((n) ? qsort((items), (n), sizeof(*(items)), (compare)) : (void)0)

#endif
