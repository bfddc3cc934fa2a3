#include "image/elf/section.h"

#include "base/cursor.h"
#include "image/elf/elf_private.h"
#include "source/decompress.h"

static uint64_t word(const struct section_file *f, struct cursor *c)
{
	return f->wide ? cur_u64(c) : cur_u32(c);
}

static size_t header_size(const struct section_file *f)
{
	return f->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

struct section_header section_at(const struct section_file *f, size_t i)
{
	size_t size = header_size(f);
	struct cursor c = cur_over(elf_part(f->headers, i * size, size), f->swap);
	struct section_header h;

	h.name = elf_string(f->names, cur_u32(&c));
	h.type = cur_u32(&c);
	h.flags = word(f, &c);
	word(f, &c); /* skip the address */
	h.off = word(f, &c);
	h.size = word(f, &c);
	h.link = cur_u32(&c);
	h.info = cur_u32(&c);
	h.align = word(f, &c);
	return h;
}

struct str section_bytes(const struct section_file *f, const struct section_header *h)
{
	return h->type == SHT_NOBITS ? (struct str){ 0 }
	                             : elf_part(f->bytes, h->off, h->size);
}

bool section_open(struct section_file *f, struct str bytes)
{
	struct cursor c;
	uint64_t off;
	uint16_t size, names;
	struct section_header h;

	*f = (struct section_file){ .bytes = bytes };
	if (!str_starts(bytes, STR("\177ELF")) || bytes.n < EI_NIDENT)
		return false;
	f->wide = bytes.p[EI_CLASS] == ELFCLASS64;
	f->swap = (bytes.p[EI_DATA] == ELFDATA2MSB) !=
	          (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	c = cur_over(str_from(bytes, EI_NIDENT), f->swap);
	f->relocatable = cur_u16(&c) == ET_REL;
	f->machine = cur_u16(&c);
	cur_take(&c, 4); /* skip the version */
	word(f, &c);     /* skip the entry */
	word(f, &c);     /* skip the offset of program headers */
	off = word(f, &c);
	/* skip the flags, the size of the ELF header, and size and number of program headers */
	cur_take(&c, 10);
	size = cur_u16(&c);
	f->n = cur_u16(&c);
	names = cur_u16(&c);
	if (c.bad || size != header_size(f) || names >= f->n)
		return false;
	f->headers = elf_part(bytes, off, (uint64_t)size * f->n);
	h = section_at(f, names);
	f->names = elf_part(bytes, h.off, h.size);
	return f->headers.n && f->names.n;
}

/*
 * Decompresses a zlib stream: two bytes, deflated data, a checksum.  The compression ratio is
 * limited, as for zstd.
 */
static struct str inflate_zlib(struct str packed, uint64_t size, struct arena *a)
{
	if (size / DECOMPRESS_RATIO > packed.n)
		return (struct str){ 0 };
	return decompress_deflate(str_from(packed, 2), size, true, a);
}

static struct str inflate_zstd(struct str packed, uint64_t size, struct arena *a)
{
	struct str s = decompress_file(packed, size, a);

	return s.n == size ? s : (struct str){ 0 };
}

/*
 * Decompresses a section that begins with an Elf64_Chdr: type, reserved word (only with 64 bits),
 * size, alignment.
 */
static struct str unpack(const struct section_file *f, struct str packed, struct arena *a)
{
	struct cursor c = cur_over(packed, f->swap);
	uint32_t type = cur_u32(&c);
	uint64_t size;

	if (f->wide)
		cur_u32(&c);
	size = word(f, &c);
	word(f, &c);
	if (c.bad)
		return (struct str){ 0 };
	packed = str_span(c.p, c.end);
	if (type == ELFCOMPRESS_ZLIB)
		return inflate_zlib(packed, size, a);
	return type == 2 /* ELFCOMPRESS_ZSTD */ ? inflate_zstd(packed, size, a)
	                                        : (struct str){ 0 };
}

/*
 * Decompresses a section of the older format.  It begins with "ZLIB" and an eight-byte size, most
 * significant byte first.
 */
static struct str unpack_gnu(struct str packed, struct arena *a)
{
	struct cursor c = cur_over(packed, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	const char *magic = cur_take(&c, 4);
	uint64_t size = cur_u64(&c);

	if (c.bad || memcmp(magic, "ZLIB", 4) != 0)
		return (struct str){ 0 };
	return inflate_zlib(str_span(c.p, c.end), size, a);
}

/* Returns true if name is the compressed form of want: ".zdebug_info" for ".debug_info". */
static bool is_gnu_packed(struct str name, struct str want)
{
	return want.n && name.n == want.n + 1 && str_starts(name, STR(".z")) &&
	       str_eq(str_from(name, 2), str_from(want, 1));
}

/* Returns the decompressed bytes of a section. */
static struct str content(const struct section_file *f, const struct section_header *h,
                          bool gnu, struct arena *a)
{
	struct str bytes = section_bytes(f, h);

	if (bytes.n && h->flags & SHF_COMPRESSED)
		return unpack(f, bytes, a);
	return bytes.n && gnu ? unpack_gnu(bytes, a) : bytes;
}

struct str section_find(const struct section_file *f, struct str name, size_t *index,
                        struct arena *a)
{
	for (size_t i = 0; i < f->n; i++) {
		struct section_header h = section_at(f, i);
		bool gnu = is_gnu_packed(h.name, name);

		if (h.type == SHT_NOBITS || (!gnu && !str_eq(h.name, name)))
			continue;
		*index = i;
		return content(f, &h, gnu, a);
	}
	return (struct str){ 0 };
}
