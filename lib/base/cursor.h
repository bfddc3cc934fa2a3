/*
 * cursor - reads numbers from a binary record.
 *
 * A read beyond the end returns 0 and sets `bad`.  Test `bad` once, after the last read.  If
 * `swap` is set, the bytes of all numbers are reversed, because the writer had the other byte
 * order.
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include "base/str.h"

struct cursor {
	const char *p, *end;
	bool swap, bad;
};

static inline struct cursor cur_over(struct str bytes, bool swap)
{
	return (struct cursor){ bytes.p, bytes.n ? bytes.p + bytes.n : bytes.p, swap,
		                false };
}

/* Returns a cursor for a format that is always little-endian. */
static inline struct cursor cur_little(struct str bytes)
{
	return cur_over(bytes, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline size_t cur_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* Returns the next n bytes, or NULL if there are fewer. */
static inline const char *cur_take(struct cursor *c, size_t n)
{
	const char *p = c->p;

	if (cur_left(c) < n) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

static inline uint8_t cur_u8(struct cursor *c)
{
	const char *p = cur_take(c, 1);

	return p ? (uint8_t)*p : 0;
}

static inline uint16_t cur_u16(struct cursor *c)
{
	const char *p = cur_take(c, 2);
	uint16_t v = 0;

	if (p)
		memcpy(&v, p, 2);
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t cur_u32(struct cursor *c)
{
	const char *p = cur_take(c, 4);
	uint32_t v = 0;

	if (p)
		memcpy(&v, p, 4);
	return c->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t cur_u64(struct cursor *c)
{
	const char *p = cur_take(c, 8);
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, 8);
	return c->swap ? __builtin_bswap64(v) : v;
}

/* Reads a LEB128 number (DWARF 5, 7.6).  Ignores bits beyond 64. */
static inline uint64_t cur_uleb(struct cursor *c)
{
	const char *p = c->p;
	uint64_t v = 0;

	if (p < c->end && !(*p & 0x80)) {
		c->p++;
		return (uint8_t)*p;
	}
	if (c->end - p > 1 && !(p[1] & 0x80)) {
		c->p += 2;
		return ((uint8_t)p[0] & 0x7f) | (uint64_t)(uint8_t)p[1] << 7;
	}
	if (c->end - p > 2 && !(p[2] & 0x80)) {
		c->p += 3;
		return ((uint8_t)p[0] & 0x7f) | (uint64_t)((uint8_t)p[1] & 0x7f) << 7 |
		       (uint64_t)(uint8_t)p[2] << 14;
	}
	for (unsigned shift = 0; p < c->end; shift += 7) {
		uint8_t byte = (uint8_t)*p++;

		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		c->p = p;
		return v;
	}
	c->p = p;
	c->bad = true;
	return v;
}

static inline int64_t cur_sleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = cur_u8(c);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (byte & 0x40 && shift < 64)
		v |= ~(uint64_t)0 << shift;
	return (int64_t)v;
}

/* Returns the bytes up to a NUL or the end, and skips the NUL. */
static inline struct str cur_zstr(struct cursor *c)
{
	struct str s = { c->p, c->p == c->end ? 0 : strnlen(c->p, cur_left(c)) };

	c->p += s.n + (s.n < cur_left(c));
	return s;
}

#endif
