/*
 * keyed - a 64-bit hash under a key that no input can know.
 *
 * Two values are taken for one by a chance of one in 2^64, and no input can be written
 * to raise it: where that is enough, what was hashed need not be kept to compare.
 */
#ifndef BASE_KEYED_H
#define BASE_KEYED_H

#include "base/str.h"

struct keyed {
	uint64_t key[4];
};

/* Draws a key. */
void keyed_init(struct keyed *k);

uint64_t keyed_hash(const struct keyed *k, struct str s);

/* Multiply, fold the halves: the step of it, for who hashes numbers. */
static inline uint64_t keyed_mix(uint64_t a, uint64_t b)
{
	__uint128_t m = (__uint128_t)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

#endif
