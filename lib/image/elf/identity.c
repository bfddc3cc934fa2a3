/*
 * What tells one build of a file from another: the build-id, found in the first bytes
 * where it stands in practice, and the checksum of a debug file.
 *
 *	readelf -n:  GNU  0x00000014  NT_GNU_BUILD_ID  Build ID: 93ac61ec5a8e...
 */
#include "image/elf/elf.h"

#include <gelf.h>

#include "base/cursor.h"

/* name size, descriptor size, type; name and descriptor, each padded to 4. */
struct str elf_note_id(struct str notes, bool swap)
{
	struct cursor c = cur_over(notes, swap);
	struct str none = { 0 };

	while (cur_left(&c) >= 12) {
		uint32_t name_size = cur_u32(&c), size = cur_u32(&c), type = cur_u32(&c);
		const char *name, *id;

		name = cur_take(&c, ((size_t)name_size + 3) & ~(size_t)3);
		id = cur_take(&c, size);
		cur_take(&c, -(size_t)size & 3);
		if (!name || !id)
			return none;
		if (type == NT_GNU_BUILD_ID && name_size == 4 && !memcmp(name, "GNU", 4))
			return (struct str){ id, size };
	}
	return none;
}

/* The notes that one program header is about; none when they are not in head. */
static struct str notes_of(struct str head, struct cursor c, bool wide)
{
	struct str none = { 0 };
	uint64_t off, size;
	uint32_t type = cur_u32(&c);

	if (wide)
		cur_u32(&c); /* flags */
	off = wide ? cur_u64(&c) : cur_u32(&c);
	cur_take(&c, wide ? 16 : 8); /* addresses */
	size = wide ? cur_u64(&c) : cur_u32(&c);
	if (c.bad || type != PT_NOTE || off > head.n || size > head.n - off)
		return none;
	return (struct str){ head.p + off, size };
}

bool elf_head_id(struct str head, struct str *id)
{
	bool wide = head.n > EI_DATA && head.p[EI_CLASS] == ELFCLASS64;
	bool big = head.n > EI_DATA && head.p[EI_DATA] == ELFDATA2MSB;
	bool swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	size_t entry = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	struct cursor c = cur_over(head, swap);
	uint64_t phoff;
	uint16_t phnum;

	cur_take(&c, EI_NIDENT + 8);
	cur_take(&c, wide ? 8 : 4); /* entry */
	phoff = wide ? cur_u64(&c) : cur_u32(&c);
	cur_take(&c, wide ? 16 : 12); /* sections, flags, two sizes */
	phnum = cur_u16(&c);
	for (uint16_t i = 0; !c.bad && i < phnum; i++) {
		uint64_t at = phoff + i * entry;

		if (phoff > head.n || at > head.n)
			return false;
		*id = elf_note_id(
		        notes_of(head, cur_over(str_from(head, at), swap), wide), swap);
		if (id->n)
			return true;
	}
	return false;
}

bool elf_same_id(struct str a, struct str b)
{
	struct str s = a.n < b.n ? a : b, l = a.n < b.n ? b : a;

	if (!s.n || !str_starts(l, s))
		return false;
	for (size_t i = s.n; i < l.n; i++)
		if (l.p[i])
			return false;
	return true;
}
