/*
 * order - compares and adds numbers, and searches sorted arrays.
 */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

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

#endif
