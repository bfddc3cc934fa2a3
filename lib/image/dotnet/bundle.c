/*
 * The host, a native executable, contains the offset of the manifest, followed by a fixed
 * signature:
 *
 * 	c0 ae f5 01 00 00 00 00  8b 12 02 b9 6a 61 20 38 ...
 *
 * The manifest contains a major and a minor version, the number of entries, and the name of the
 * bundle.  Since version 2, the positions of two entries follow, and then flags.  The entries are
 * at the end.
 */
#include "image/dotnet/bundle.h"

#include <endian.h>

#include "base/cursor.h"
#include "source/decompress.h"

enum {
	MARK = 32,
	MARKS_TRIED = 8,
	LEAST_ENTRY = 8 + 8 + 1 + 1, /* minimum size of an entry in bytes */
	FIXED_SINCE_2 = 5 * 8, /* size in bytes of the two positions and the flags */
	PACKED_SINCE = 6,
	LAST_MAJOR = 6,
	ELF_HEADER = 64,
	ELF_SECTIONS_AT = 40, /* offset of e_shoff, a u64, in the ELF header */
	ELF_SECTION_SIZE = 58,
};

static const unsigned char mark[MARK] = {
	0x8b, 0x12, 0x02, 0xb9, 0x6a, 0x61, 0x20, 0x38, 0x72, 0x7b, 0x93,
	0x02, 0x14, 0xd7, 0xa0, 0x32, 0x13, 0xf5, 0xb9, 0xe6, 0xef, 0xae,
	0x33, 0x18, 0xee, 0x3b, 0x2d, 0xce, 0x24, 0xb3, 0x6a, 0xae,
};

bool bundle_bid(struct str head, uint64_t size)
{
	const struct str elf64 = STR("\x7f"
	                             "ELF\x02\x01");
	struct cursor c = cur_little(str_head(head, ELF_HEADER));
	uint64_t at, each, n;

	if (!str_starts(head, elf64))
		return false;
	cur_take(&c, ELF_SECTIONS_AT);
	at = cur_u64(&c);
	cur_take(&c, ELF_SECTION_SIZE - ELF_SECTIONS_AT - 8);
	each = cur_u16(&c);
	n = cur_u16(&c);
	return !c.bad && at && at < size && size - at > each * n;
}

/*
 * Reads a string of .NET's BinaryWriter.  Its length is encoded in groups of seven bits, lowest
 * first.
 */
static struct str take_string(struct cursor *c)
{
	uint32_t n = 0, byte;
	unsigned shift = 0;
	struct str s;

	do {
		byte = cur_u8(c);
		n |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 28);
	s.p = cur_take(c, n);
	s.n = s.p ? n : 0;
	return s;
}

/*
 * Returns true if the entry is inside the file.  Limits the sum of compressed sizes, because
 * entries that share bytes could otherwise use unlimited memory.
 */
static bool fits(const struct bundle *b, const struct bundle_entry *e)
{
	uint64_t n = e->packed ? e->packed : e->size;

	return e->file_off <= b->bytes.n && n <= b->bytes.n - e->file_off &&
	       e->packed <= b->bytes.n - b->packed;
}

static void take_entry(struct bundle *b, struct cursor *c)
{
	struct bundle_entry e = { 0 };

	e.file_off = cur_u64(c);
	e.size = cur_u64(c);
	if (b->major >= PACKED_SINCE)
		e.packed = cur_u64(c);
	e.kind = (enum bundle_kind)cur_u8(c);
	e.path = take_string(c);
	if (c->bad || !fits(b, &e))
		return;
	b->packed += e.packed;
	b->entry[b->n++] = e;
}

/* Returns false if the bytes at `at` are not a manifest. */
static bool read_manifest(struct bundle *b, uint64_t at, struct arena *a)
{
	struct cursor c = cur_little(str_from(b->bytes, at));
	uint32_t n;

	b->major = cur_u32(&c);
	cur_u32(&c);
	n = cur_u32(&c);
	take_string(&c);
	if (b->major >= 2)
		cur_take(&c, FIXED_SINCE_2);
	if (c.bad || !b->major || b->major > LAST_MAJOR || n > cur_left(&c) / LEAST_ENTRY)
		return false;
	b->entry = arena_new(a, struct bundle_entry, n + (size_t)1);
	while (n-- > 0 && !c.bad)
		take_entry(b, &c);
	return b->n != 0;
}

bool bundle_read(struct bundle *b, struct str bytes, struct arena *a)
{
	const struct str what = { (const char *)mark, MARK };
	struct str rest = bytes;

	*b = (struct bundle){ .bytes = bytes };
	for (int tried = 0; tried < MARKS_TRIED; tried++) {
		size_t at = str_search(rest, what);
		uint64_t manifest = 0;

		if (at == rest.n)
			return false;
		at += (size_t)(rest.p - bytes.p);
		rest = str_from(bytes, at + MARK);
		if (at >= sizeof(manifest))
			memcpy(&manifest, bytes.p + at - sizeof(manifest),
			       sizeof(manifest));
		manifest = le64toh(manifest);
		if (manifest && manifest < bytes.n && read_manifest(b, manifest, a))
			return true;
	}
	return false;
}

const struct bundle_entry *bundle_find(const struct bundle *b, struct str path)
{
	for (size_t i = 0; i < b->n; i++)
		if (str_eq(b->entry[i].path, path))
			return &b->entry[i];
	return NULL;
}

struct str bundle_bytes(const struct bundle *b, const struct bundle_entry *e,
                        struct arena *a)
{
	struct str raw = str_from(b->bytes, e->file_off);

	return e->packed ? decompress_deflate(str_head(raw, e->packed), e->size, true, a)
	                 : str_head(raw, e->size);
}

struct str bundle_head(const struct bundle *b, const struct bundle_entry *e, size_t n,
                       struct arena *a)
{
	struct str raw = str_from(b->bytes, e->file_off);

	n = n < e->size ? n : (size_t)e->size;
	return e->packed ? decompress_deflate(str_head(raw, e->packed), n, false, a)
	                 : str_head(raw, n);
}

const struct bundle_entry *bundle_at(const struct bundle *b, uint64_t file_off)
{
	for (const struct bundle_entry *e = b->entry; e < b->entry + b->n; e++)
		if (!e->packed && file_off >= e->file_off &&
		    file_off - e->file_off < e->size)
			return e;
	return NULL;
}
