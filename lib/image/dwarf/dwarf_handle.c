#include "image/dwarf/dwarf_handle.h"

#include <errno.h>
#include <gelf.h>

#include "image/elf/relocate.h"

enum {
	TAIL = 64, /* readable bytes behind a section */
	ROOM = 16, /* sections of an ELF descriptor */
};

/* The section names, as a string table: one each NAME_BYTES, the first one empty. */
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

/* Do enough bytes, and a NUL, follow the section in the file? */
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
		struct arena scratch = { 0 };
		struct str name = str_of(names[1 + i]);

		if (s->split && i != DW_CU_INDEX)
			name = arena_fmt(&scratch, PRSTR ".dwo", STRARG(name));
		s->at[i] = relocate_find(f, name, &scratch);
		if (s->at[i].n && !has_tail(f->bytes, s->at[i]))
			s->at[i] = with_tail(s->at[i], a);
		arena_release(&scratch);
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

/* Files of empty sections: libelf makes an empty descriptor only from another. */
#define EMPTY_FILE(bits)                                                                 \
	static const struct {                                                            \
		Elf##bits##_Ehdr head;                                                   \
		Elf##bits##_Shdr section[ROOM];                                          \
	} empty##bits = { .head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS##bits,    \
		                                 OUR_DATA, 1 },                          \
		                    .e_version = EV_CURRENT,                             \
		                    .e_shoff = sizeof(Elf##bits##_Ehdr),                 \
		                    .e_shentsize = sizeof(Elf##bits##_Shdr),             \
		                    .e_shnum = ROOM } }

EMPTY_FILE(32);
EMPTY_FILE(64);

static Elf *empty_elf(bool wide)
{
	Elf *elf, *from = NULL;

	if (elf_version(EV_CURRENT) != EV_NONE)
		from = wide ? elf_memory((char *)(uintptr_t)&empty64, sizeof(empty64))
		            : elf_memory((char *)(uintptr_t)&empty32, sizeof(empty32));
	elf = elf_clone(from, ELF_C_EMPTY);
	elf_end(from);
	return elf;
}

/* name: its offset among the names. */
static bool add_section(Elf *elf, size_t name, uint32_t type, const char *p, size_t n)
{
	Elf_Scn *scn = elf_newscn(elf);
	Elf_Data *data = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr sh;

	if (!data || !gelf_getshdr(scn, &sh))
		return false;
	data->d_buf = (void *)(uintptr_t)p;
	data->d_size = n;
	data->d_type = ELF_T_BYTE;
	sh.sh_name = (uint32_t)name;
	sh.sh_type = type;
	sh.sh_size = n;
	return gelf_update_shdr(scn, &sh);
}

static bool fill_elf(Elf *elf, const struct dwarf_sections *s)
{
	GElf_Ehdr eh;

	if (!gelf_newehdr(elf, s->wide ? ELFCLASS64 : ELFCLASS32) ||
	    !gelf_getehdr(elf, &eh))
		return false;
	eh.e_ident[EI_DATA] = s->swap ? OTHER_DATA : OUR_DATA;
	eh.e_shstrndx = 1;
	if (!gelf_update_ehdr(elf, &eh) ||
	    !add_section(elf, 0, SHT_STRTAB, names[0], sizeof(names)))
		return false;
	for (size_t i = 0; i < DW_KNOWN_TO_LIBDW; i++)
		if (s->at[i].n && !add_section(elf, (1 + i) * NAME_BYTES, SHT_PROGBITS,
		                               s->at[i].p, s->at[i].n))
			return false;
	return true;
}

Dwarf *dwarf_handle_open(const struct dwarf_sections *s)
{
	Dwarf *dbg = NULL;
	Elf *elf;

	errno = 0;
	elf = empty_elf(s->wide);
	if (elf && fill_elf(elf, s))
		dbg = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (elf && !dbg)
		elf_end(elf);
	return arena_checked(dbg);
}

void dwarf_handle_close(Dwarf *dbg)
{
	Elf *elf = dwarf_getelf(dbg);

	dwarf_end(dbg);
	elf_end(elf);
}
