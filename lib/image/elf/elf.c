/*
 * ELF, System V ABI.  Output of readelf -lW for a program linked by lld:
 *
 * 	LOAD  0x000000 0x0000000000000000 0x0000000000000000 0x01a6e4 0x01a6e4 R   0x1000
 * 	LOAD  0x01a6f0 0x000000000001b6f0 0x000000000001b6f0 0x047bc0 0x047bc0 R E 0x1000
 *
 * libelf finds the tables and decodes their entries.  It is used only if the tables do not exceed
 * the file, and is never used for strings.
 */
#include "image/elf/elf_private.h"

#include <errno.h>

#include "base/cursor.h"
#include "image/calls.h"
#include "image/elf/relocate.h"

static const uint32_t NOTE_PACKAGE = 0xcafe1a7e;

bool elf_bid(struct str head)
{
	return str_starts(head, STR("\177ELF"));
}

static bool sections_inside(struct str bytes, uint64_t off, uint64_t size, uint16_t n,
                            bool wide)
{
	return off && n && n < SHN_LORESERVE &&
	       size == (wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)) &&
	       off <= bytes.n && size * n <= bytes.n - off;
}

/*
 * Returns true if the tables are inside the file and their entries have the right size.
 */
static bool tables_inside(struct str bytes)
{
	bool wide = bytes.n > EI_DATA && bytes.p[EI_CLASS] == ELFCLASS64;
	bool big = bytes.n > EI_DATA && bytes.p[EI_DATA] == ELFDATA2MSB;
	struct cursor c =
	        cur_over(bytes, big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	uint64_t phoff, shoff, phsize, shsize;
	uint16_t type, phnum, shnum;

	cur_take(&c, EI_NIDENT);
	type = cur_u16(&c);
	cur_take(&c, wide ? 14 : 10); /* skip machine, version and entry */
	phoff = wide ? cur_u64(&c) : cur_u32(&c);
	shoff = wide ? cur_u64(&c) : cur_u32(&c);
	cur_take(&c, 6); /* skip the flags and the size of the header */
	phsize = cur_u16(&c);
	phnum = cur_u16(&c);
	shsize = cur_u16(&c);
	shnum = cur_u16(&c);
	if (c.bad || phnum == PN_XNUM)
		return false;
	if (type == ET_REL)
		return !phnum && sections_inside(bytes, shoff, shsize, shnum, wide);
	if ((type != ET_EXEC && type != ET_DYN) || !phnum)
		return false;
	if (phsize != (wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return false;
	if (phoff > bytes.n || phsize * phnum > bytes.n - phoff)
		return false;
	return (!shoff && !shnum) || sections_inside(bytes, shoff, shsize, shnum, wide);
}

Elf *elf_open_tables(struct str bytes)
{
	if (!elf_bid(bytes) || !tables_inside(bytes))
		return NULL;
	elf_version(EV_CURRENT);
	errno = 0;
	return arena_checked(elf_memory((char *)(uintptr_t)bytes.p, bytes.n));
}

struct str elf_part(struct str bytes, uint64_t off, uint64_t n)
{
	if (off > bytes.n || n > bytes.n - off)
		return (struct str){ 0 };
	return (struct str){ bytes.p + off, n };
}

struct str elf_section_bytes(struct str bytes, const GElf_Shdr *sh)
{
	if (sh->sh_type == SHT_NOBITS || sh->sh_flags & SHF_COMPRESSED)
		return (struct str){ 0 };
	return elf_part(bytes, sh->sh_offset, sh->sh_size);
}

struct str elf_string(struct str strings, uint64_t off)
{
	struct str s = str_from(strings, off < strings.n ? off : strings.n);

	return str_head(s, str_find(s, '\0'));
}

struct str elf_section_names(Elf *file, struct str bytes)
{
	size_t index;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(file, &index) < 0 ||
	    !gelf_getshdr(elf_getscn(file, index), &sh))
		return (struct str){ 0 };
	return elf_section_bytes(bytes, &sh);
}

/*
 * Returns the descriptor of the first note of this owner and type.  A note consists of the size of
 * its name, the size of its descriptor, a type, the name, and the descriptor.  Name and descriptor
 * are padded to multiples of 4 bytes.
 */
static struct str find_note(struct str notes, bool swap, const char owner[4],
                            uint32_t want)
{
	struct cursor c = cur_over(notes, swap);
	struct str none = { 0 };

	while (cur_left(&c) >= 12) {
		uint32_t name_size = cur_u32(&c), size = cur_u32(&c), type = cur_u32(&c);
		const char *name, *content;

		name = cur_take(&c, ((size_t)name_size + 3) & ~(size_t)3);
		content = cur_take(&c, size);
		cur_take(&c, -(size_t)size & 3);
		if (!name || !content)
			return none;
		if (type == want && name_size == 4 && !memcmp(name, owner, 4))
			return (struct str){ content, size };
	}
	return none;
}

struct str elf_note_id(struct str notes, bool swap)
{
	return find_note(notes, swap, "GNU", NT_GNU_BUILD_ID);
}

struct str elf_package(const struct elf *e)
{
	struct str notes = { 0 };
	uint64_t va;

	if (!elf_section(e, STR(".note.package"), &notes, &va))
		return notes;
	notes = find_note(notes, e->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__),
	                  "FDO", NOTE_PACKAGE);
	return str_head(notes, str_find(notes, '\0'));
}

/*
 * Returns the notes in the segment of a program header, or an empty string if `head` does not
 * contain them.
 */
static struct str notes_of(struct str head, struct cursor c, bool wide)
{
	struct str none = { 0 };
	uint64_t off, size;
	uint32_t type = cur_u32(&c);

	if (wide)
		cur_u32(&c); /* skip the flags */
	off = wide ? cur_u64(&c) : cur_u32(&c);
	cur_take(&c, wide ? 16 : 8); /* skip the addresses */
	size = wide ? cur_u64(&c) : cur_u32(&c);
	return c.bad || type != PT_NOTE ? none : elf_part(head, off, size);
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
	cur_take(&c, wide ? 8 : 4); /* skip the entry */
	phoff = wide ? cur_u64(&c) : cur_u32(&c);
	/* skip the offset of sections, the flags and two sizes */
	cur_take(&c, wide ? 16 : 12);
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

static bool is_swapped(const GElf_Ehdr *eh)
{
	return (eh->e_ident[EI_DATA] == ELFDATA2MSB) !=
	       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* Reads .gnu_debuglink: a name, zeros up to a multiple of 4 bytes, a checksum. */
static void read_link(struct elf *e, struct str content, bool swap)
{
	struct str name = elf_string(content, 0);
	struct cursor c = cur_over(str_from(content, (name.n + 4) & ~(size_t)3), swap);
	uint32_t crc = cur_u32(&c);

	if (c.bad)
		return;
	e->debug_link = name;
	e->debug_crc = crc;
}

/*
 * Reads .debug_sup (DWARF 5, 7.3.6): version, a flag that marks the common file itself, the name
 * of the common file, and a checksum that serves as its build-id.
 */
static void read_supplement(struct elf *e, struct str content, bool swap)
{
	struct cursor c = cur_over(content, swap);
	uint16_t version = cur_u16(&c);
	bool common = cur_u8(&c) != 0;
	struct str name = cur_zstr(&c);
	uint64_t n = cur_uleb(&c);
	const char *id = n <= content.n ? cur_take(&c, n) : NULL;

	if (c.bad || version != 5 || !id)
		return;
	if (common) {
		if (!e->build_id.n)
			e->build_id = (struct str){ id, n };
		return;
	}
	e->alt_link = name;
	e->alt_id = (struct str){ id, n };
}

static void read_sections(struct elf *e, Elf *file, bool swap)
{
	struct str names = elf_section_names(file, e->bytes);
	bool code = false, code_here = false;
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(file, scn))) {
		struct str name, content;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh))
			continue;
		name = elf_string(names, sh.sh_name);
		content = elf_section_bytes(e->bytes, &sh);
		if (sh.sh_type == SHT_NOTE && !e->build_id.n)
			e->build_id = elf_note_id(content, swap);
		if (sh.sh_type == SHT_SYMTAB && content.n)
			e->has_symtab = true;
		if (str_eq(name, STR(".gnu_debuglink")))
			read_link(e, content, swap);
		if (str_eq(name, STR(".gnu_debugaltlink"))) {
			e->alt_link = elf_string(content, 0);
			e->alt_id = str_from(content, e->alt_link.n + 1);
		}
		if (str_eq(name, STR(".debug_sup")))
			read_supplement(e, content, swap);
		if (sh.sh_type != SHT_NOBITS && (str_eq(name, STR(".debug_info")) ||
		                                 str_eq(name, STR(".zdebug_info"))))
			e->has_dwarf = true;
		if (str_eq(name, STR(".gnu_debugdata")))
			e->mini = content;
		if (str_eq(name, STR(".text")))
			e->text = sh.sh_addr;
		if (sh.sh_flags & SHF_EXECINSTR) {
			code = true;
			code_here |= sh.sh_type != SHT_NOBITS;
		}
	}
	e->bare = code && !code_here;
}

static void read_loads(struct elf *e, Elf *file, size_t n, bool swap, struct arena *a)
{
	struct elf_load *load = arena_new(a, struct elf_load, n + 1);

	e->load = load;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(file, (int)i, &ph))
			continue;
		if (ph.p_type == PT_NOTE && !e->build_id.n)
			e->build_id = elf_note_id(
			        elf_part(e->bytes, ph.p_offset, ph.p_filesz), swap);
		if (ph.p_type == PT_LOAD)
			load[e->nloads++] =
			        (struct elf_load){ ph.p_offset, ph.p_filesz, ph.p_vaddr,
				                   ph.p_memsz, (ph.p_flags & PF_X) != 0 };
	}
}

bool elf_read(struct elf *e, struct str bytes, struct arena *a)
{
	Elf *file = elf_open_tables(bytes);
	GElf_Ehdr eh;
	bool good;

	*e = (struct elf){ .bytes = bytes };
	good = file && gelf_getehdr(file, &eh);
	if (good) {
		e->machine = eh.e_machine;
		e->wide = eh.e_ident[EI_CLASS] == ELFCLASS64;
		e->big = eh.e_ident[EI_DATA] == ELFDATA2MSB;
		read_sections(e, file, is_swapped(&eh));
		e->movable = eh.e_type == ET_DYN;
		e->relocatable = eh.e_type == ET_REL;
		read_loads(e, file, eh.e_phnum, is_swapped(&eh), a);
	}
	if (file)
		elf_end(file);
	return good;
}

static uint64_t page_down(uint64_t x, uint64_t page)
{
	return x & ~(page - 1);
}

/*
 * Returns true if the segment from `begin` covers exactly `length` bytes from `off`, after its
 * bounds were rounded to any usual page size.
 */
static bool fills(uint64_t begin, uint64_t size, uint64_t off, uint64_t length)
{
	for (uint64_t page = 4096; page <= 65536; page *= 4)
		if (page_down(begin, page) == off &&
		    page_down(begin + size + page - 1, page) - off == length)
			return true;
	return false;
}

/*
 * Returns the length of the first mapping of a library, or 0 if `l` is not the first segment.  A
 * loader first maps the whole library with the rights of the first segment.  Then it maps the
 * other segments over this mapping.
 */
static uint64_t span_from(const struct elf *e, const struct elf_load *l)
{
	uint64_t end = l->va;

	for (size_t i = 0; i < e->nloads; i++) {
		const struct elf_load *other = &e->load[i];

		if (other->va < l->va)
			return 0;
		if (other->size > UINT64_MAX - other->va)
			return 0;
		if (other->va + other->size > end)
			end = other->va + other->size;
	}
	return end - l->va;
}

/*
 * Implements elf_place for a debug file.  The file offsets of a debug file have no meaning, so
 * the mapping is compared with the segment that has code.  Returns false if several segments
 * have code.
 */
static bool place_bare(const struct elf *e, uint64_t file_off, uint64_t length,
                       uint64_t *shift)
{
	const struct elf_load *code = NULL;

	for (size_t i = 0; i < e->nloads; i++)
		if (e->load[i].executable) {
			if (code)
				return false;
			code = &e->load[i];
		}
	if (!code)
		return false;
	for (uint64_t page = 4096; page <= 65536; page *= 4) {
		uint64_t begin = page_down(code->va, page);

		*shift = begin - file_off;
		if (fills(code->va, code->size, begin, length) ||
		    fills(code->va, span_from(e, code), begin, length))
			return true;
	}
	return false;
}

uint64_t elf_moved(const struct elf *e, const struct elf *other)
{
	return e->text && other->text ? e->text - other->text : 0;
}

bool elf_text(const struct elf *e, uint64_t *va)
{
	*va = RELOCATE_FIRST;
	if (e->relocatable)
		return true;
	for (size_t i = 0; i < e->nloads; i++)
		if (e->load[i].executable) {
			*va = e->load[i].va;
			return true;
		}
	return false;
}

bool elf_place(const struct elf *e, uint64_t file_off, uint64_t length, bool exact,
               uint64_t *shift)
{
	if (e->bare)
		return place_bare(e, file_off, length, shift);
	for (const struct elf_load *l = e->load; l < e->load + e->nloads; l++) {
		bool here = l->file_off < file_off ? file_off - l->file_off < l->file_size
		                                   : l->file_off - file_off < length;

		if (!l->executable || !here || !l->file_size)
			continue;
		if (exact && !fills(l->file_off, l->file_size, file_off, length) &&
		    !fills(l->file_off, span_from(e, l), file_off, length))
			continue;
		*shift = l->va - l->file_off;
		return true;
	}
	return false;
}

bool elf_follows_call(const struct elf *e, uint64_t file_off)
{
	return !e->bare && calls_end(e->machine, e->bytes, file_off);
}

static Elf_Scn *section_called(Elf *file, struct str names, struct str want,
                               GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(file, scn)))
		if (gelf_getshdr(scn, sh) && str_eq(elf_string(names, sh->sh_name), want))
			return scn;
	return NULL;
}

bool elf_section(const struct elf *e, struct str name, struct str *bytes, uint64_t *va)
{
	Elf *file = elf_open_tables(e->bytes);
	GElf_Shdr sh;

	*bytes = (struct str){ 0 };
	if (file && section_called(file, elf_section_names(file, e->bytes), name, &sh)) {
		*bytes = elf_section_bytes(e->bytes, &sh);
		*va = sh.sh_addr;
	}
	if (file)
		elf_end(file);
	return bytes->n != 0;
}
