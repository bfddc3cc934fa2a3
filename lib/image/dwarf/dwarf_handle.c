#include "image/dwarf/dwarf_handle.h"

#include <errno.h>
#include <stddef.h>

#include "base/guard.h"
#include "image/elf/relocate.h"

enum {
	TAIL = 64, /* number of readable bytes after each section */
};

/* A string table of section names.  Each name has NAME_BYTES bytes, and the first is empty. */
enum { NAME_BYTES = 32 };
static const char names[1 + DWARF_SECTIONS][NAME_BYTES] = {
	[1 + DW_INFO] = ".debug_info",
	[1 + DW_ABBREV] = ".debug_abbrev",
	[1 + DW_STR] = ".debug_str",
	[1 + DW_STR_OFFSETS] = ".debug_str_offsets",
	[1 + DW_ADDR] = ".debug_addr",
	[1 + DW_RANGES] = ".debug_ranges",
	[1 + DW_RNGLISTS] = ".debug_rnglists",
	[1 + DW_LINE] = ".debug_line",
	[1 + DW_LINE_STR] = ".debug_line_str",
	[1 + DW_CU_INDEX] = ".debug_cu_index",
};

/* Returns true if TAIL bytes follow the section in the file, and at least one of them is NUL. */
static bool has_tail(struct str file, struct str section)
{
	const char *end = section.p + section.n, *file_end = file.p + file.n;

	return section.p >= file.p && end <= file_end &&
	       (size_t)(file_end - end) >= TAIL &&
	       memchr(end, '\0', (size_t)(file_end - end));
}

static struct str with_tail(struct str section, struct arena *a)
{
	char *copy = arena_alloc(a, section.n + TAIL, 1);

	memcpy(copy, section.p, section.n);
	return (struct str){ copy, section.n };
}

static void find_sections(struct dwarf_sections *s, const struct section_file *f,
                          struct arena *a)
{
	for (size_t i = 0; i < DWARF_SECTIONS; i++) {
		arena_scope(scratch);
		struct str name = str_of(names[1 + i]);

		if (s->split && i != DW_CU_INDEX)
			name = arena_fmt(&scratch, PRSTR ".dwo", STRARG(name));
		s->at[i] = relocate_find(f, name, &scratch);
		if (s->at[i].n && !has_tail(f->bytes, s->at[i]))
			s->at[i] = with_tail(s->at[i], a);
	}
}

bool dwarf_handle_sections(struct dwarf_sections *s, struct str bytes, struct arena *a)
{
	struct section_file f;

	*s = (struct dwarf_sections){ 0 };
	if (!section_open(&f, bytes))
		return false;
	if (f.relocatable)
		f.va = relocate_layout(&f, a);
	s->wide = f.wide;
	s->swap = f.swap;
	find_sections(s, &f, a);
	if (!s->at[DW_INFO].n) {
		s->split = true;
		find_sections(s, &f, a);
	}
	return s->at[DW_INFO].n && s->at[DW_ABBREV].n;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { OUR_DATA = ELFDATA2LSB, OTHER_DATA = ELFDATA2MSB };
#else
enum { OUR_DATA = ELFDATA2MSB, OTHER_DATA = ELFDATA2LSB };
#endif

/* Converts a number to the byte order of the file. */
static uint16_t half(const struct dwarf_sections *s, uint16_t n)
{
	return s->swap ? __builtin_bswap16(n) : n;
}

static uint32_t word(const struct dwarf_sections *s, uint32_t n)
{
	return s->swap ? __builtin_bswap32(n) : n;
}

static uint64_t xword(const struct dwarf_sections *s, uint64_t n)
{
	return s->swap ? __builtin_bswap64(n) : n;
}

/*
 * Writes a section header.  The offset is the distance from the headers, modulo 2^64, so a
 * section may be anywhere in memory.
 */
static void put_header(struct dwarf_sections *s, size_t name, uint32_t type,
                       const char *p, size_t n)
{
	struct dwarf_headers *h = &s->headers;

	h->section[h->n++] = (Elf64_Shdr){
		.sh_name = word(s, (uint32_t)name),
		.sh_type = word(s, type),
		.sh_offset = xword(s, (uintptr_t)p - (uintptr_t)h),
		.sh_size = xword(s, n),
		.sh_addralign = xword(s, 1),
	};
}

static void put_headers(struct dwarf_sections *s)
{
	struct dwarf_headers *h = &s->headers;

	*h = (struct dwarf_headers){ .n = 1 };
	put_header(s, 0, SHT_STRTAB, names[0], sizeof(names));
	for (size_t i = 0; i < DW_KNOWN_TO_LIBDW; i++)
		if (s->at[i].n)
			put_header(s, (1 + i) * NAME_BYTES, SHT_PROGBITS, s->at[i].p,
			           s->at[i].n);
	h->file = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
		             s->swap ? OTHER_DATA : OUR_DATA, EV_CURRENT },
		.e_version = word(s, EV_CURRENT),
		.e_shoff = xword(s, offsetof(struct dwarf_headers, section)),
		.e_ehsize = half(s, sizeof(Elf64_Ehdr)),
		.e_shentsize = half(s, sizeof(Elf64_Shdr)),
		.e_shnum = half(s, h->n),
		.e_shstrndx = half(s, 1),
	};
}

/*
 * Opens the headers with libelf, because libdw 0.192 requires an ELF handle from libelf.
 * libelf reads the headers as 64-bit headers.  If the original file has 32 bits, its class is set
 * afterwards, because libdw derives the size of addresses in line tables from the class.
 */
static Elf *open_headers(struct dwarf_sections *s)
{
	Elf *elf = NULL;

	put_headers(s);
	if (elf_version(EV_CURRENT) != EV_NONE)
		elf = elf_memory((char *)&s->headers, SIZE_MAX);
	if (elf && !s->wide)
		elf_getident(elf, NULL)[EI_CLASS] = ELFCLASS32;
	return elf;
}

Dwarf *dwarf_handle_open(struct dwarf_sections *s)
{
	Dwarf *dbg = NULL;
	Elf *elf;

	errno = 0;
	elf = open_headers(s);
	if (elf)
		dbg = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (elf && !dbg)
		elf_end(elf);
	if (dbg)
		dwarf_new_oom_handler(dbg, guard_out_of_memory);
	return arena_checked(dbg);
}

void dwarf_handle_close(Dwarf *dbg)
{
	Elf *elf = dwarf_getelf(dbg);

	dwarf_end(dbg);
	elf_end(elf);
}
