#include "image/calls.h"

#include <elf.h>
#include <endian.h>
#include <stdint.h>
#include <string.h>

/*
 * Returns true if `call rel32` or `call r/m64` (FF /2, any addressing form) ends at `end`.  The
 * function may read `have` bytes before `end`.
 */
static bool ends_x64(const unsigned char *end, size_t have)
{
	if (have >= 5 && end[-5] == 0xe8)
		return true;
	for (size_t n = 2; n <= 7 && n <= have; n++) {
		unsigned modrm, mod, rm;
		size_t len;

		if (end[-(long)n] != 0xff)
			continue;
		modrm = end[-(long)n + 1];
		mod = modrm >> 6;
		rm = modrm & 7;
		if ((modrm >> 3 & 7) != 2)
			continue;
		len = 2u + (mod != 3 && rm == 4) + (mod == 1 ? 1u : mod == 2 ? 4u : 0u);
		if (mod == 0 &&
		    (rm == 5 || (rm == 4 && n >= 3 && (end[-(long)n + 2] & 7) == 5)))
			len += 4;
		if (len == n)
			return true;
	}
	return false;
}

/* Matches bl, blr, and blr with pointer authentication. */
static bool ends_arm64(const unsigned char *end, size_t have)
{
	uint32_t op;

	if (have < 4)
		return false;
	memcpy(&op, end - 4, 4);
	op = le32toh(op);
	return op >> 26 == 0x25 || (op & 0xfffffc1f) == 0xd63f0000 ||
	       (op & 0xfefff800) == 0xd63f0800;
}

bool calls_end(unsigned machine, struct str code, uint64_t off)
{
	const unsigned char *end;

	if (off > code.n)
		return false;
	end = (const unsigned char *)code.p + off;
	return (machine == EM_X86_64 && ends_x64(end, off)) ||
	       (machine == EM_AARCH64 && ends_arm64(end, off));
}
