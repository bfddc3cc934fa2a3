/*
 * hash - 64-bit hashes of bytes and of pairs of numbers, for tables in memory.
 *
 * A hash only says where to look: whoever finds an equal one compares what was hashed.
 * Bytes are hashed by XXH3.  The values are not stable between versions and are never
 * written to a file.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/str.h"

/* Multiplies 64 x 64 bits and folds the halves. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	__uint128_t m =
	        (__uint128_t)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd6e8feb86659fd93u);

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

uint64_t hash_str(struct str s);

/* A random seed, so that nobody can prepare bytes whose hashes are equal. */
uint64_t hash_seed(void);
uint64_t hash_seeded(uint64_t seed, struct str s);

/* 128 bits under a secret of random bytes, for checksums. */
enum { HASH_SECRET = 192 };
void hash_secret(const unsigned char secret[HASH_SECRET], struct str s, uint64_t out[2]);

#endif
