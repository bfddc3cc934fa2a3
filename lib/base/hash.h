/*
 * hash - 64-bit hashes of bytes and of pairs of numbers, for tables in memory.
 *
 * Different keys may have equal hashes, so callers must compare the keys.  Bytes are hashed with
 * XXH3.  The hashes may differ between versions of this program, so they are never written to a
 * file.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/str.h"

/* Multiplies two 64-bit numbers, and combines both halves of the product. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	__uint128_t m =
	        (__uint128_t)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd6e8feb86659fd93u);

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

uint64_t hash_str(struct str s);

/*
 * Returns a fast hash of a short string.  before: hash of the preceding text, or hash_seed() for
 * the first text.
 */
static inline uint64_t hash_more(uint64_t before, struct str s)
{
	uint64_t a = 0, b = 0;

	for (; s.n > 16; s.p += 16, s.n -= 16) {
		memcpy(&a, s.p, 8);
		memcpy(&b, s.p + 8, 8);
		before = hash_mix(before ^ a, b);
	}
	if (s.n >= 8) {
		memcpy(&a, s.p, 8);
		memcpy(&b, s.p + s.n - 8, 8);
	} else if (s.n >= 4) {
		memcpy(&a, s.p, 4);
		memcpy(&b, s.p + s.n - 4, 4);
	} else if (s.n) {
		a = (uint64_t)(unsigned char)s.p[0] << 16 |
		    (uint64_t)(unsigned char)s.p[s.n / 2] << 8 |
		    (unsigned char)s.p[s.n - 1];
	}
	return hash_mix(before ^ a, b + s.n);
}

/* Returns a random seed, so that an attacker cannot prepare bytes with equal hashes. */
uint64_t hash_seed(void);
uint64_t hash_seeded(uint64_t seed, struct str s);

/* Computes 128 bits for checksums, with a secret of random bytes. */
enum { HASH_SECRET = 192 };
void hash_secret(const unsigned char secret[HASH_SECRET], struct str s, uint64_t out[2]);

#endif
