/*
 * dwarf_handle - libdw's handle of the debug information in an ELF file.
 *
 * libdw gets no file but an ELF descriptor made here, of headers that lead to the sections of
 * debug information alone, unpacked and relocated.  Given the file, libdw 0.188 unpacks
 * compressed sections by writing into the caller's bytes, reads no zstd, and looks for
 * other files by itself.  A section that needs no change is not copied.
 *
 * libdw reads beyond the end of a section: an unterminated string up to the next NUL, a
 * number or a header up to 40 bytes.  So readable bytes with a NUL among them follow
 * each section; where the file has none, the section is copied.
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

/* Private to dwarf_handle.c: an ELF file of headers alone. */
struct dwarf_headers {
	Elf64_Ehdr file;
	Elf64_Shdr section[2 + DW_KNOWN_TO_LIBDW];
	uint16_t n; /* sections */
};

struct dwarf_sections {
	struct str at[DWARF_SECTIONS];
	bool wide, swap;              /* 64 bits; byte order is not ours */
	bool split;                   /* of split units: .debug_info.dwo */
	struct dwarf_headers headers; /* since dwarf_handle_open */
};

/*
 * The sections of the ELF file with these bytes; they live as long as the bytes and the
 * arena.  False: no ELF file, or it has no debug information.
 */
bool dwarf_handle_sections(struct dwarf_sections *s, struct str bytes, struct arena *a);

/* NULL: nothing that libdw can read.  The sections must outlive it, and stay where they are. */
Dwarf *dwarf_handle_open(struct dwarf_sections *s);

/* Accepts NULL. */
void dwarf_handle_close(Dwarf *dbg);

#endif
