/*
 * dwarf_handle - opens a libdw handle for the debug information in an ELF file.
 *
 * libdw reads an ELF descriptor that dwarf_handle_open makes.  The descriptor contains only
 * headers, which refer to the unpacked and relocated sections of debug information.  If libdw
 * 0.188 read the file itself, it would unpack sections into the caller's bytes, fail on zstd,
 * and search for other files.  Sections are copied only if they must be changed.
 *
 * libdw may read beyond the end of a section: up to the next NUL in an unterminated string, and
 * up to 40 bytes in a number or header.  If no readable bytes with a NUL follow a section, the
 * section is copied and padded.
 */
#ifndef IMAGE_DWARF_DWARF_HANDLE_H
#define IMAGE_DWARF_DWARF_HANDLE_H

#include <elfutils/libdw.h>

#include "base/arena.h"

enum dwarf_section {
	DW_INFO,
	DW_ABBREV,
	DW_STR,
	DW_STR_OFFSETS,
	DW_ADDR,
	DW_RANGES,
	DW_RNGLISTS,
	DW_LINE,
	DW_LINE_STR,
	DW_KNOWN_TO_LIBDW,
	DW_CU_INDEX = DW_KNOWN_TO_LIBDW,
	DWARF_SECTIONS
};

/* For dwarf_handle.c: an ELF file that contains only headers. */
struct dwarf_headers {
	Elf64_Ehdr file;
	Elf64_Shdr section[2 + DW_KNOWN_TO_LIBDW];
	uint16_t n; /* number of sections */
};

struct dwarf_sections {
	struct str at[DWARF_SECTIONS];
	/* wide: 64 bits.  swap: the byte order differs from this machine's */
	bool wide, swap;
	bool split; /* the sections are of split units, such as .debug_info.dwo */
	struct dwarf_headers headers; /* used after dwarf_handle_open */
};

/*
 * Finds the sections of an ELF file.  They live as long as the bytes and the arena.  Returns
 * false if the file is not an ELF file, or if it has no debug information.
 */
bool dwarf_handle_sections(struct dwarf_sections *s, struct str bytes, struct arena *a);

/*
 * Opens a handle.  Returns NULL if libdw cannot read the sections.  The sections must
 * outlive the handle and must not move.
 */
Dwarf *dwarf_handle_open(struct dwarf_sections *s);

/* dbg may be NULL. */
void dwarf_handle_close(Dwarf *dbg);

#endif
