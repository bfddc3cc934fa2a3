#include "image/dotnet/pe.h"

#include <elf.h>

#include "base/cursor.h"
#include "image/calls.h"
#include "image/dotnet/streams.h"

enum {
	PAGE = 4096,
	DIR_RESOURCES = 2,
	DIR_DEBUG = 6,
	DIR_COR20 = 14,
	SECTION_EXECUTE = 0x20000000,
	DEBUG_CODEVIEW = 2,
	DEBUG_EMBEDDED = 17,
	DEBUG_PERFMAP = 21,
	/* minor version of a CodeView debug entry that refers to a portable PDB */
	PORTABLE = 0x504d,
	PDB_MOST = 256 << 20, /* limit in bytes of an uncompressed PDB */
};

/*
 * .NET XORs the machine in the header with one of these tags if the image is for another system
 * than Windows.
 */
static const uint16_t os_tags[] = {
	[PE_WINDOWS] = 0,      [PE_LINUX] = 0x7b79,  [PE_OSX] = 0x4644,
	[PE_FREEBSD] = 0xadc4, [PE_NETBSD] = 0x1993, [PE_SUNOS] = 0x1992,
};

bool pe_bid(struct str head)
{
	return head.n > 64 && head.p[0] == 'M' && head.p[1] == 'Z';
}

static struct cursor at(const struct pe *pe, uint64_t file_off, uint64_t n)
{
	struct str s =
	        str_from(pe->bytes, file_off > pe->bytes.n ? pe->bytes.n : file_off);

	return cur_little(str_head(s, n));
}

static struct cursor at_rva(const struct pe *pe, uint64_t rva, uint64_t n)
{
	uint64_t off;

	return pe_file_off(pe, rva, &off) ? at(pe, off, n) : at(pe, pe->bytes.n, 0);
}

bool pe_rva(const struct pe *pe, uint64_t file_off, uint64_t *rva)
{
	for (size_t i = 0; i < pe->nsections; i++) {
		const struct pe_section *s = &pe->section[i];

		if (file_off >= s->file_off && file_off - s->file_off < s->raw_size) {
			*rva = file_off - s->file_off + s->rva;
			return true;
		}
	}
	return false;
}

/* Returns the section whose bytes in the file contain rva, or NULL. */
static const struct pe_section *section_of(const struct pe *pe, uint64_t rva)
{
	for (size_t i = 0; i < pe->nsections; i++) {
		const struct pe_section *s = &pe->section[i];

		if (rva >= s->rva && rva - s->rva < s->raw_size)
			return s;
	}
	return NULL;
}

bool pe_file_off(const struct pe *pe, uint64_t rva, uint64_t *file_off)
{
	const struct pe_section *s = section_of(pe, rva);

	if (s)
		*file_off = rva - s->rva + s->file_off;
	return s != NULL;
}

struct str pe_bytes(const struct pe *pe, uint64_t rva, size_t n)
{
	const struct pe_section *s = section_of(pe, rva);
	struct str raw = { 0 };

	if (s)
		raw = (struct str){ pe->bytes.p + s->file_off, s->raw_size };
	return s ? str_head(str_from(raw, rva - s->rva), n) : raw;
}

static uint64_t page_up(uint64_t at)
{
	return (at + PAGE - 1) / PAGE * PAGE;
}

/* Returns the executable section that starts in the page at file_off, or NULL. */
static const struct pe_section *code_at(const struct pe *pe, uint64_t file_base,
                                        uint64_t file_off)
{
	for (size_t i = 0; i < pe->nsections; i++) {
		const struct pe_section *s = &pe->section[i];

		if (s->executable && (file_base + s->file_off) / PAGE * PAGE == file_off)
			return s;
	}
	return NULL;
}

/* The runtime maps raw_size bytes of a section instead of virtual_size. */
uint64_t pe_mapped_length(const struct pe *pe, uint64_t file_base, uint64_t file_off)
{
	const struct pe_section *s = code_at(pe, file_base, file_off);

	return s ? page_up(file_base + s->file_off + s->raw_size) - file_off : 0;
}

uint64_t pe_cut_length(const struct pe *pe, uint64_t file_base, uint64_t file_off)
{
	const struct pe_section *s = code_at(pe, file_base, file_off);

	if (!s || s->raw_size == s->whole_size)
		return 0;
	return page_up(file_base + s->file_off + s->whole_size) - file_off;
}

bool pe_code_pages(const struct pe *pe, uint64_t *rva, uint64_t *length)
{
	for (size_t i = 0; i < pe->nsections; i++) {
		const struct pe_section *s = &pe->section[i];

		if (!s->executable || !s->virtual_size)
			continue;
		*rva = s->rva / PAGE * PAGE;
		*length = page_up((uint64_t)s->rva + s->virtual_size) - *rva;
		return true;
	}
	return false;
}

bool pe_knows_calls(const struct pe *pe)
{
	return pe->machine == PE_X64 || pe->machine == PE_ARM64;
}

bool pe_follows_call(const struct pe *pe, uint64_t file_off)
{
	return calls_end(pe->machine == PE_X64 ? EM_X86_64 : EM_AARCH64, pe->bytes,
	                 file_off);
}

static void read_sections(struct pe *pe, struct cursor c, size_t n)
{
	for (size_t i = 0; i < n && i < PE_SECTIONS; i++) {
		struct pe_section s;
		uint32_t traits;

		cur_take(&c, 8);
		s.virtual_size = cur_u32(&c);
		s.rva = cur_u32(&c);
		s.raw_size = cur_u32(&c);
		s.file_off = cur_u32(&c);
		cur_take(&c, 12);
		traits = cur_u32(&c);
		s.executable = traits & SECTION_EXECUTE;
		if (c.bad)
			return;
		s.whole_size = s.raw_size;
		if (s.file_off > pe->bytes.n)
			s.raw_size = 0;
		else if (s.raw_size > pe->bytes.n - s.file_off)
			s.raw_size = (uint32_t)(pe->bytes.n - s.file_off);
		pe->section[pe->nsections++] = s;
	}
}

/* Reads the r2rmap's signature, which crossgen2 also writes into the image. */
static void read_perfmap(struct pe *pe, struct cursor data)
{
	const char *p = cur_take(&data, 20);

	if (!p || pe->has_signature || memcmp(p, "R2RM", 4) != 0)
		return;
	memcpy(pe->signature, p + 4, sizeof(pe->signature));
	pe->has_signature = true;
	pe->map_version = cur_u32(&data);
	pe->map_name = cur_zstr(&data);
}

/* Reads the id of the PDB.  The last part of the id is the time stamp of the directory entry. */
static void read_codeview(struct pe *pe, struct cursor data, const char *stamp)
{
	const char *p = cur_take(&data, 24);

	if (!p || memcmp(p, "RSDS", 4) != 0)
		return;
	memcpy(pe->pdb_id, p + 4, PE_PDB_ID - 4);
	memcpy(pe->pdb_id + PE_PDB_ID - 4, stamp, 4);
	pe->pdb_path = cur_zstr(&data);
}

static void read_embedded(struct pe *pe, struct cursor data)
{
	const char *p = cur_take(&data, 4);
	uint32_t size = cur_u32(&data);

	if (data.bad || memcmp(p, "MPDB", 4) != 0 || size > PDB_MOST)
		return;
	pe->pdb_size = size;
	pe->pdb_packed = (struct str){ data.p, cur_left(&data) };
}

/*
 * Reads the debug directory.  Fields of an entry: 0, stamp, version, type, size, rva, file
 * offset.
 */
static void read_debug(struct pe *pe, struct pe_directory dir)
{
	struct cursor c = at_rva(pe, dir.rva, dir.size);

	while (cur_left(&c) >= 28) {
		uint32_t version, type, size, off;
		const char *stamp;

		cur_take(&c, 4);
		stamp = cur_take(&c, 4);
		version = cur_u32(&c);
		type = cur_u32(&c);
		size = cur_u32(&c);
		cur_take(&c, 4);
		off = cur_u32(&c);
		if (type == DEBUG_PERFMAP)
			read_perfmap(pe, at(pe, off, size));
		else if (type == DEBUG_CODEVIEW && version >> 16 == PORTABLE)
			read_codeview(pe, at(pe, off, size), stamp);
		else if (type == DEBUG_EMBEDDED)
			read_embedded(pe, at(pe, off, size));
	}
}

/*
 * Reads the MVID.  The columns in row 1 of table Module are Generation, Name, Mvid, ...
 */
static void read_mvid(struct pe *pe, struct pe_directory metadata)
{
	struct cursor all = at_rva(pe, metadata.rva, metadata.size), c;
	struct str root = { all.p, cur_left(&all) };
	uint32_t index;
	uint64_t valid;
	uint8_t heaps;
	const char *p;

	c = cur_little(streams_find(root, STR("#~")));
	cur_take(&c, 6);
	heaps = cur_u8(&c);
	cur_u8(&c);
	valid = cur_u64(&c);
	cur_u64(&c);
	cur_take(&c, 4u * (unsigned)__builtin_popcountll(valid) + (heaps & 0x40 ? 4 : 0));
	cur_u16(&c);
	cur_take(&c, heaps & 1 ? 4 : 2);
	index = heaps & 2 ? cur_u32(&c) : cur_u16(&c);
	if (c.bad || !(valid & 1) || !index)
		return;
	c = cur_little(streams_find(root, STR("#GUID")));
	cur_take(&c, (index - 1) * (size_t)16);
	p = cur_take(&c, 16);
	if (!p)
		return;
	memcpy(pe->mvid, p, sizeof(pe->mvid));
	pe->has_mvid = true;
}

static struct pe_directory directory(struct cursor optional, bool plus, unsigned index)
{
	struct pe_directory d;

	cur_take(&optional, (plus ? 112u : 96u) + 8 * index);
	d.rva = cur_u32(&optional);
	d.size = cur_u32(&optional);
	return optional.bad ? (struct pe_directory){ 0 } : d;
}

static void read_machine(struct pe *pe, uint16_t marked)
{
	static const uint16_t machines[] = { PE_X64, PE_ARM64, PE_ARM, PE_X86 };

	pe->machine = marked;
	for (unsigned os = PE_WINDOWS; os <= PE_SUNOS; os++)
		for (size_t k = 0; k < sizeof(machines) / sizeof(*machines); k++)
			if ((marked ^ os_tags[os]) == machines[k]) {
				pe->machine = machines[k];
				pe->os = (enum pe_os)os;
			}
}

/*
 * Reads the .NET header, which contains the positions of the metadata and of the header for
 * precompiled code.
 */
static void read_cor20(struct pe *pe, struct pe_directory dir)
{
	struct cursor c = at_rva(pe, dir.rva, dir.size);
	struct pe_directory metadata, native;

	cur_take(&c, 8);
	metadata.rva = cur_u32(&c);
	metadata.size = cur_u32(&c);
	if (c.bad)
		return;
	pe->metadata = metadata;
	cur_take(&c, 48);
	native.rva = cur_u32(&c);
	native.size = cur_u32(&c);
	if (!c.bad)
		pe->native = native;
	read_mvid(pe, metadata);
}

/* Searches for the signature of VS_FIXEDFILEINFO, instead of following the resource tree. */
uint64_t pe_file_version(const struct pe *pe)
{
	static const char magic[] = { '\xbd', '\x04', '\xef', '\xfe' };
	struct str all = pe_bytes(pe, pe->resources.rva, pe->resources.size);
	size_t at = str_search(all, (struct str){ magic, sizeof(magic) });
	struct cursor c = cur_little(str_from(all, at));
	uint64_t high;

	cur_take(&c, 8); /* skip the signature and the version of the structure */
	high = cur_u32(&c);
	return c.bad ? 0 : high << 32 | cur_u32(&c);
}

bool pe_read(struct pe *pe, struct str bytes)
{
	struct cursor c, optional;
	uint16_t nsections, size;
	bool plus;

	*pe = (struct pe){ .bytes = bytes };
	if (!pe_bid(bytes))
		return false;
	c = at(pe, 0x3c, 4);
	c = at(pe, cur_u32(&c), UINT64_MAX);
	if (cur_u32(&c) != 0x4550)
		return false;
	read_machine(pe, cur_u16(&c));
	nsections = cur_u16(&c);
	pe->time_stamp = cur_u32(&c);
	cur_take(&c, 8);
	size = cur_u16(&c);
	cur_u16(&c);
	optional = cur_little(str_head((struct str){ c.p, cur_left(&c) }, size));
	cur_take(&c, size);
	if (c.bad)
		return false;
	read_sections(pe, c, nsections);
	c = optional;
	plus = cur_u16(&c) == 0x20b;
	cur_take(&c, 54);
	pe->image_size = cur_u32(&c);
	pe->resources = directory(optional, plus, DIR_RESOURCES);
	read_debug(pe, directory(optional, plus, DIR_DEBUG));
	read_cor20(pe, directory(optional, plus, DIR_COR20));
	return pe->nsections != 0;
}
