/*
 * hash - 64-bit hashes of bytes and of small keys, for tables in memory only.
 *
 * Multiply 64 x 64 bits, fold the halves: the mixing step of wyhash and its
 * relatives.  Not stable between versions, never written to a file.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/str.h"

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	__uint128_t m =
	        (__uint128_t)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd6e8feb86659fd93u);

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline uint64_t hash_load(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t hash_str(struct str s)
{
	uint64_t h = s.n, tail = 0;
	const char *p = s.p;
	size_t n = s.n;

	for (; n >= 16; p += 16, n -= 16)
		h = hash_mix(hash_load(p) ^ h, hash_load(p + 8));
	if (n >= 8) {
		h = hash_mix(hash_load(p), h);
		p += 8;
		n -= 8;
	}
	if (n)
		memcpy(&tail, p, n);
	return hash_mix(tail, h);
}

#endif
