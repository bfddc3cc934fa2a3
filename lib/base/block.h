/*
 * block - examines 64 or 8 bytes of a text at once.
 *
 * Eight bytes of a text form a word.  On all machines, the first byte of the text is the lowest
 * byte of the word, as on a little-endian machine.
 */
#ifndef BASE_BLOCK_H
#define BASE_BLOCK_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BLOCK = 64 };

/* a word in which each byte is `byte` */
#define BLOCK_EACH(byte) (0x0101010101010101u * (unsigned char)(byte))

static inline uint64_t block_word(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

/* For each byte of v that is 0, sets the highest bit of this byte in the result. */
static inline uint64_t block_zeros(uint64_t v)
{
	uint64_t low = BLOCK_EACH(0x7f);

	return ~(((v & low) + low) | v | low);
}

/* Compares 16 bytes with c.  Bit i of the result is set if p[i] is c. */
static inline uint64_t block_find_16(const char *p, char c)
{
#ifdef __SSE2__
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);

	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
#else
	uint64_t gather = 0x0102040810204080u;
	uint64_t low = block_zeros(block_word(p) ^ BLOCK_EACH(c)) >> 7;
	uint64_t high = block_zeros(block_word(p + 8) ^ BLOCK_EACH(c)) >> 7;

	return low * gather >> 56 | high * gather >> 56 << 8;
#endif
}

/* Compares BLOCK bytes with c.  Bit i of the result is set if p[i] is c. */
static inline uint64_t block_find(const char *p, char c)
{
	return block_find_16(p, c) | block_find_16(p + 16, c) << 16 |
	       block_find_16(p + 32, c) << 32 | block_find_16(p + 48, c) << 48;
}

/* Returns the bits below bit n.  n must be less than BLOCK. */
static inline uint64_t block_below(unsigned n)
{
	return ((uint64_t)1 << n) - 1;
}

#ifdef __SSE2__
/* Compares 16 bytes.  Bit i of the result is set if a[i] is b[i]. */
static inline uint64_t block_same_16(const char *a, const char *b)
{
	__m128i va = _mm_loadu_si128((const __m128i *)(const void *)a);
	__m128i vb = _mm_loadu_si128((const __m128i *)(const void *)b);

	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(va, vb));
}
#endif

/* Returns true if n bytes are equal.  This is fast for 16 to 128 bytes. */
static inline bool block_same(const char *a, const char *b, size_t n)
{
#ifdef __SSE2__
	/* number of bytes that are compared at each end */
	size_t half = n <= BLOCK ? n : BLOCK;
	uint64_t same;

	if (n < 16 || n > 2 * BLOCK)
		return memcmp(a, b, n) == 0;
	if (n <= 32)
		return (block_same_16(a, b) & block_same_16(a + n - 16, b + n - 16)) ==
		       0xffff;
	same = block_same_16(a, b) & block_same_16(a + 16, b + 16) &
	       block_same_16(a + half - 32, b + half - 32) &
	       block_same_16(a + half - 16, b + half - 16);
	if (same != 0xffff || n <= BLOCK)
		return same == 0xffff;
	return (block_same_16(a + n - 64, b + n - 64) &
	        block_same_16(a + n - 48, b + n - 48) &
	        block_same_16(a + n - 32, b + n - 32) &
	        block_same_16(a + n - 16, b + n - 16)) == 0xffff;
#else
	return memcmp(a, b, n) == 0;
#endif
}

/*
 * Return the index of the lowest set bit (block_first) or highest set bit (block_last).  bits
 * must not be 0.
 */
static inline unsigned block_first(uint64_t bits)
{
	return (unsigned)__builtin_ctzll(bits);
}

static inline unsigned block_last(uint64_t bits)
{
	return 63 - (unsigned)__builtin_clzll(bits);
}

/* Converts eight lower-case hexadecimal digits.  Returns false if there are other characters. */
static inline bool block_hex(uint64_t text, uint64_t *out)
{
	uint64_t v = (text & BLOCK_EACH(0x0f)) + 9 * (text >> 6 & BLOCK_EACH(1));
	uint64_t letters = (v + BLOCK_EACH(6)) >> 4 & BLOCK_EACH(1);

	if (v & BLOCK_EACH(0xf0) ||
	    v + BLOCK_EACH('0') + letters * ('a' - '9' - 1) != text)
		return false;
	v = (v << 4 | v >> 8) & 0x00ff00ff00ff00ffu;
	v = (v << 8 | v >> 16) & 0x0000ffff0000ffffu;
	*out = (v << 16 | v >> 32) & 0xffffffffu;
	return true;
}

/* Converts v to eight hexadecimal digits.  The highest byte contains the first digit. */
static inline uint64_t block_hex_digits(uint32_t v)
{
	uint64_t digits = ((uint64_t)v << 16 | v) & 0x0000ffff0000ffffu;
	uint64_t letters;

	digits = (digits << 8 | digits) & 0x00ff00ff00ff00ffu;
	digits = (digits << 4 | digits) & BLOCK_EACH(0x0f);
	letters = (digits + BLOCK_EACH(6)) >> 4 & BLOCK_EACH(1);
	return digits + BLOCK_EACH('0') + letters * ('a' - '9' - 1);
}

#endif
