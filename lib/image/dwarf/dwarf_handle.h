/*
 * dwarf_handle - libdw's handle of the debug information in an ELF file.
 *
 * libdw reads an ELF descriptor that is made here.  Its headers lead only to the sections
 * of debug information, unpacked and relocated.  If libdw 0.188 reads the file itself, it
 * unpacks compressed sections into the caller's bytes, cannot read zstd, and searches for
 * other files.  A section that needs no change is not copied.
 *
 * libdw reads beyond the end of a section: an unterminated string up to the next NUL, a
 * number or a header up to 40 bytes.  So readable bytes with a NUL must follow each
 * section.  If the file does not contain such bytes after a section, the section is
 * copied.
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

/* For dwarf_handle.c: an ELF file of headers alone. */
struct dwarf_headers {
	Elf64_Ehdr file;
	Elf64_Shdr section[2 + DW_KNOWN_TO_LIBDW];
	uint16_t n; /* sections */
};

struct dwarf_sections {
	struct str at[DWARF_SECTIONS];
	/*
	 * `wide` is true for 64 bits.  `swap` is true if the byte order differs from that
	 * of this machine
	 */
	bool wide, swap;
	bool split;                   /* of split units: .debug_info.dwo */
	struct dwarf_headers headers; /* since dwarf_handle_open */
};

/*
 * Finds the sections of an ELF file.  They live as long as the bytes and the arena.
 * Returns false if it is not an ELF file or has no debug information.
 */
bool dwarf_handle_sections(struct dwarf_sections *s, struct str bytes, struct arena *a);

/*
 * Opens a handle.  Returns NULL if libdw cannot read the sections.  The sections must
 * outlive the handle and must not move.
 */
Dwarf *dwarf_handle_open(struct dwarf_sections *s);

/* Accepts NULL. */
void dwarf_handle_close(Dwarf *dbg);

#endif
