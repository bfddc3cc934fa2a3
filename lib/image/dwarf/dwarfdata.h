/*
 * dwarfdata - the state behind image/dwarf/dwarf.h; private to image/dwarf*.c.
 *
 * Entries refer to each other and to strings by offsets, whose bases are the business
 * of their unit's root.
 */
#ifndef IMAGE_DWARF_DWARFDATA_H
#define IMAGE_DWARF_DWARFDATA_H

#include <dwarf.h>

#include "base/cursor.h"
#include "base/table.h"
#include "image/dwarf/dwarf.h"
#include "image/dwarf/dwarfform.h"
#include "image/symtab.h"

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
	DW_CU_INDEX,
	DWARF_SECTIONS
};

/* A function with code of its own, or one compiled into another. */
struct scope {
	uint64_t entry;  /* in .debug_info */
	uint32_t parent; /* index + 1 of what it is compiled into; 0: it is a function */
	uint32_t call_file, call_line;
	bool named, plain, met;
	uint64_t first_va; /* when met: where it was the innermost one at first */
	struct str name;   /* when named; plain: not the linker's */
};

/* One change of the line; file UINT32_MAX: here the code ends. */
struct line_row {
	uint64_t va;
	uint32_t file, line;
};

struct lines {
	struct line_row *row;
	size_t n, cap;
	struct str *file; /* without directories */
	size_t files, files_cap;
	uint32_t first_file; /* the number of file[0] */
};

struct unit {
	struct dwarf *d;
	struct unit *skeleton; /* whose code this split unit describes; else NULL */
	uint64_t off, end;     /* in .debug_info, the header included */
	uint64_t root;         /* where its first entry begins */
	uint64_t abbrev_off, id;
	uint64_t low; /* base of its ranges */
	uint64_t str_base, addr_base, rnglists_base, ranges_base;
	uint64_t package_str, package_rnglists; /* in a package: where its part begins */
	const struct abbrevs *abbrevs;
	struct form stmt_list, dwo_name, comp_dir;
	uint16_t version, language;
	uint8_t addr_size, off_size, type;
	bool rooted, placed, walked, split_tried, lines_tried;
	bool fresh; /* walked in the file itself, not had from the cache */
	struct unit *split;
	struct symtab code; /* base of a symbol: index of scope */
	struct scope *scope;
	size_t scopes, scopes_cap;
	const struct lines *lines;
};

struct code_range {
	uint64_t start, end;
};

struct dwarf {
	struct arena *arena;
	struct str bytes;        /* the file */
	struct dwarf_kept *kept; /* dwarfkeep.c: what the cache has of it, or NULL */
	bool late;               /* of the file itself, nothing was read yet */
	bool changed;            /* more of it was read than the cache has */
	struct str section[DWARF_SECTIONS];
	bool swap;
	bool split;    /* .debug_info.dwo */
	uint64_t work; /* bytes that may still be read: what lies must not take forever */
	struct unit *unit;
	size_t units, units_cap;
	struct symtab code; /* base of a symbol: index of unit */
	bool rest_placed;   /* units that do not say where their code is were walked */
	struct table abbrevs_of;           /* (offset, format) -> index of abbrevs + 1 */
	struct abbrevs **abbrevs, reading; /* reading: the one at hand */
	size_t nabbrevs, abbrevs_cap;
	struct table lines_of; /* offset -> index of lines + 1 */
	struct lines **lines;
	size_t nlines, lines_cap;
	struct code_range *range; /* of the entry at hand */
	size_t ranges, ranges_cap;
	struct dwarf *alt;
	struct dwarf_splits splits;
	size_t missing;
};

/* False, once the work that was allowed is done. */
bool dwarf_may(struct dwarf *d, uint64_t bytes);

/* A number of that many bytes, 4 or 8. */
uint64_t dwarf_word(struct cursor *c, unsigned size);

/* Bytes of a section from off on; none beyond its end. */
struct cursor dwarf_at(const struct dwarf *d, enum dwarf_section s, uint64_t off);

/* dwarfform.c */
bool dwarf_form(struct cursor *c, const struct unit *u, unsigned form, int64_t value,
                struct form *out);
struct str dwarf_string(const struct unit *u, const struct form *f);
bool dwarf_address(const struct unit *u, const struct form *f, uint64_t *out);

/* dwarfentry.c: an entry's code; NULL at the end of a list, or damage (c->bad). */
const struct abbrev *dwarf_entry(struct unit *u, struct cursor *c);
void dwarf_attrs(struct unit *u, struct cursor *c, const struct abbrev *ab,
                 struct attrs *out);
/* Passes over an entry, and over all below it when that can be done; else false. */
bool dwarf_skip(struct unit *u, struct cursor *c, const struct abbrev *ab);
bool dwarf_load_abbrevs(struct unit *u);
struct str dwarf_name_of(struct unit *u, uint64_t entry, bool *plain);

/* dwarfunit.c: reads the root; false: unusable. */
bool dwarf_root(struct unit *u);
struct unit *dwarf_unit_of(struct dwarf *d, uint64_t entry);
void dwarf_list_units(struct dwarf *d);
struct unit *dwarf_split_of(struct unit *u);

/* dwarfranges.c: where an entry's code is, into d->range of u's file. */
void dwarf_ranges_of(struct unit *u, const struct attrs *at);

/* dwarfscope.c: reads a unit's tree. */
void dwarf_walk(struct unit *u);

/* dwarfline.c: NULL: none. */
const struct lines *dwarf_lines_of(struct unit *u);
struct str dwarf_file_of(const struct lines *l, uint64_t number);
const struct line_row *dwarf_row(const struct lines *l, uint64_t va);

#endif
