/*
 * native_format - reads numbers and arrays in the encoding of ReadyToRun sections, which is
 * called "native format". Private to image/dotnet/.
 *
 * Specification: dotnet/runtime docs/design/coreclr/botr/readytorun-format.md.
 */
#ifndef IMAGE_DOTNET_NATIVE_FORMAT_H
#define IMAGE_DOTNET_NATIVE_FORMAT_H

#include <endian.h>

#include "base/str.h"

/* Returns the eight bytes of s at offset `at`.  Bytes after the end of s are 0. */
static inline uint64_t native_bytes(struct str s, size_t at)
{
	uint64_t v = 0;

	if (at >= s.n)
		return 0;
	if (s.n - at >= sizeof(v))
		memcpy(&v, s.p + at, sizeof(v));
	else
		memcpy(&v, s.p + at, s.n - at);
	return le64toh(v);
}

/*
 * Reads a number at offset `at` of the file.  The number of trailing one bits in the first
 * byte, at most four, is the number of bytes that follow the first byte.  The one bits are not
 * part of the value.  Returns the offset after the number, or SIZE_MAX if the number is
 * invalid.
 */
static inline size_t native_uint(struct str file, size_t at, uint32_t *out)
{
	uint64_t v = native_bytes(file, at);
	unsigned n = (unsigned)__builtin_ctzll(~v | 0x10) + 1, above = 64 - 8 * n;

	*out = (uint32_t)(v << above >> (above + (n < 5 ? n : 8)));
	return at < file.n && n <= file.n - at ? at + n : SIZE_MAX;
}

/* Like native_uint, for a signed number. */
static inline size_t native_int(struct str file, size_t at, int32_t *out)
{
	uint32_t v;
	size_t next = native_uint(file, at, &v);
	unsigned unused = next - at < 5 ? 32 - 7 * (unsigned)(next - at) : 0;

	*out = (int32_t)(v << unused) >> unused;
	return next;
}

/*
 * Returns entry i of an array whose entries have 1 << width bytes.  width is 0, 1 or 2.  Returns
 * UINT32_MAX if the entry is outside of the file.
 */
static inline uint32_t native_index(struct str file, size_t base, uint64_t i,
                                    unsigned width)
{
	size_t at = base + (size_t)(i << width);
	uint16_t half = 0;

	if (at >= file.n || file.n - at < (size_t)1 << width)
		return UINT32_MAX;
	if (width == 0)
		return (unsigned char)file.p[at];
	if (width == 2)
		return (uint32_t)native_bytes(file, at);
	memcpy(&half, file.p + at, 2);
	return le16toh(half);
}

#endif
