/*
 * dwarf_unit - the state behind image/dwarf/dwarf.h, and the units of a file; private
 * to image/dwarf/.
 */
#ifndef IMAGE_DWARF_DWARF_UNIT_H
#define IMAGE_DWARF_DWARF_UNIT_H

#include <dwarf.h>

#include "base/cursor.h"
#include "base/table.h"
#include "image/dwarf/dwarf.h"
#include "image/dwarf/dwarf_handle.h"
#include "image/symtab.h"

/* A function with code of its own, or one compiled into another. */
struct scope {
	uint64_t entry;  /* offset from the unit's root */
	uint32_t parent; /* index + 1 of what it is compiled into; 0: it is a function */
	uint32_t call_file, call_line;
	bool named, plain, met;
	uint64_t first_va; /* when met: where it was the innermost one at first */
	struct str name;   /* when named; plain: not the linker's */
	struct str scoped; /* the same with its scope; empty if that adds nothing */
};

/* From va on, code is of this line; file UINT32_MAX: no code follows. */
struct line_row {
	uint64_t va;
	uint32_t file, line;
};

/* The flat table of a unit's lines. */
struct lines {
	struct line_row *row;
	size_t n;
	struct str *file; /* without directories */
	size_t files;
	uint32_t first_file; /* the number of file[0] */
};

struct unit {
	struct dwarf *d;
	const struct dwarf *file; /* of a split unit the one it is in, else d */
	Dwarf *dbg;               /* of a split unit a handle of its own, else d's */
	const struct dwarf_sections *from;
	Dwarf_Die root;     /* addr NULL: the unit cannot be read */
	uint64_t off, size; /* in .debug_info, the header included */
	uint64_t id;        /* of a split unit and its skeleton */
	uint64_t low;       /* base of its ranges */
	uint64_t lists;     /* in .debug_rnglists, where its table of lists begins */
	uint16_t version;
	uint8_t word, address; /* bytes of an offset and of an address */
	bool is_skeleton, is_split;
	bool placed, walked, split_tried, lines_tried;
	bool asked;                /* the cache was asked for it */
	bool fresh;                /* read from the file, not from the cache */
	struct unit *split, *next; /* next: of all split units */
	struct symtab code;        /* base of a symbol: index of scope */
	struct scope *scope;
	size_t scopes, scopes_cap;
	const struct lines *lines;
	bool contained;              /* the containers were read */
	struct container *container; /* see dwarf_names.c */
	size_t containers, containers_cap;
};

struct code_range {
	uint64_t start, end;
};

struct dwarf {
	struct arena *arena;
	struct str bytes;         /* the file */
	struct dwarf_cache *kept; /* dwarf_cache.c: what the cache has of it, or NULL */
	bool late;                /* the file itself was not opened yet */
	bool changed;             /* something was read that the cache lacks */
	struct dwarf_sections sections;
	Dwarf *dbg;
	uint64_t
	        work; /* bytes that may still be read: hostile files must not take forever */
	struct unit *unit;
	size_t units, units_cap;
	uint64_t listed;       /* in .debug_info, where the last one ends */
	bool has_split;        /* some unit's tree is in another file */
	struct symtab code;    /* base of a symbol: index of unit */
	bool rest_placed;      /* units that do not say where their code is were walked */
	struct table abbrevs;  /* offsets of tables of abbreviations that were checked */
	struct table lines_of; /* offset -> index of lines + 1 */
	struct lines **lines;
	size_t nlines, lines_cap;
	size_t longest_path;      /* bytes, in .debug_line_str, plus 1; 0: not measured */
	struct code_range *range; /* of the entry at hand */
	size_t ranges, ranges_cap;
	struct dwarf *alt;
	struct dwarf_splits splits;
	struct dwarf *files, *next; /* those that splits.find told */
	struct unit *split;         /* those that were found in them */
	size_t missing;
};

/* Takes bytes off the work budget; false: it is spent. */
bool dwarf_unit_may(struct dwarf *d, uint64_t bytes);

/* Reads d's bytes and lists the units; false: it has none. */
bool dwarf_unit_list(struct dwarf *d);

/* A number that is an attribute of an entry; false: it has none. */
bool dwarf_unit_number(Dwarf_Die *die, unsigned name, uint64_t *out);
struct str dwarf_unit_string(Dwarf_Attribute *at);

/* An entry's code ranges and the call that it was inlined at. */
struct code_attrs {
	Dwarf_Attribute low, high, ranges;
	Dwarf_Word call_file, call_line;
};

/* Reads them, and the ranges of the entry's code into d->range of u's d. */
void dwarf_unit_code(struct unit *u, Dwarf_Die *die, struct code_attrs *at);

/* The unit with the tree of this skeleton; NULL: it is not there. */
struct unit *dwarf_unit_split(struct unit *u);

/* Closes libdw's handles of d and of the files that were handed to it. */
void dwarf_unit_close(struct dwarf *d);

#endif
