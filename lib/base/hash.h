/*
 * hash - 64-bit hashes of bytes and of pairs of numbers, for tables in memory.
 *
 * Different keys may have equal hashes, so callers must compare the keys.  The hashes differ between
 * processes, so they are never written to a file, and no output depends on their order.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/str.h"

uint64_t hash_str(struct str s);

/*
 * Returns a number that differs between processes, as the address of a function does.  An input
 * cannot contain keys with equal hashes, because whoever makes it does not know this number.
 */
static inline uint64_t hash_key(void)
{
	return (uintptr_t)hash_str * 0x9e3779b97f4a7c15u;
}

/* Multiplies two 64-bit numbers, and combines both halves of the product. */
static inline uint64_t hash_product(uint64_t x, uint64_t y)
{
	__uint128_t m = (__uint128_t)x * y;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/*
 * Hashes two 64-bit numbers.  A factor without the key would be 0 for some number, whatever the
 * other number is.  Both factors depend on both numbers: if one were constant for the pairs (1, 0),
 * (2, 0), (3, 0), ..., some values of the key would place their hashes next to each other.
 */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a + b) ^ hash_key();

	return hash_product(x, b ^ __builtin_bswap64(x));
}

/*
 * Returns the slot of two numbers in a cache of 1 << `bits` slots.  This hash has no key, so it must
 * not be used if entries that share a slot are searched one after the other.
 */
static inline size_t hash_slot(uint64_t a, uint64_t b, unsigned bits)
{
	return ((a * 0x9e3779b97f4a7c15u) ^ b) * 0xd6e8feb86659fd93u >> (64 - bits);
}

static inline uint64_t hash_word(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/*
 * Returns a fast hash of a short string.  before: hash of the preceding text, or hash_seed() or
 * hash_key() for the first text.
 */
static inline uint64_t hash_more(uint64_t before, struct str s)
{
	const char *end = s.p + s.n;
	uint64_t a = 0, b = 0, key = hash_key();

	if (s.n > 16) {
		for (const char *p = s.p; end - p > 16; p += 16)
			before = hash_product(before ^ hash_word(p),
			                      hash_word(p + 8) ^ key);
		a = hash_word(end - 16);
		b = hash_word(end - 8);
	} else if (s.n >= 8) {
		a = hash_word(s.p);
		b = hash_word(end - 8);
	} else if (s.n >= 4) {
		memcpy(&a, s.p, 4);
		memcpy(&b, end - 4, 4);
	} else if (s.n) {
		a = (uint64_t)(unsigned char)s.p[0] << 16 |
		    (uint64_t)(unsigned char)s.p[s.n / 2] << 8 | (unsigned char)end[-1];
	}
	return hash_product(before ^ a, (b + s.n) ^ key);
}

/* Returns a random seed, so that an attacker cannot prepare bytes with equal hashes. */
uint64_t hash_seed(void);
uint64_t hash_seeded(uint64_t seed, struct str s);

/* Computes 128 bits for checksums, with a secret of random bytes. */
enum { HASH_SECRET = 192 };
void hash_secret(const unsigned char secret[HASH_SECRET], struct str s, uint64_t out[2]);

#endif
