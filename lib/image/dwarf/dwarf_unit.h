/*
 * dwarf_unit - the state of image/dwarf/dwarf.h, and the units of a file.  Private to
 * image/dwarf/.
 */
#ifndef IMAGE_DWARF_DWARF_UNIT_H
#define IMAGE_DWARF_DWARF_UNIT_H

#include <dwarf.h>

#include "base/cursor.h"
#include "base/intern.h"
#include "base/table.h"
#include "image/dwarf/dwarf.h"
#include "image/dwarf/dwarf_handle.h"
#include "image/symtab.h"

/* A function with its own code, or an inlined instance of a function. */
struct scope {
	uint64_t entry; /* offset of its entry from the root entry of the unit */
	/* index + 1 of the scope that contains this inlined scope, or 0 */
	uint32_t parent;
	uint32_t call_file, call_line;
	bool named, plain, met;
	/* va of the first lookup that found the scope as the innermost scope */
	uint64_t first_va;
	struct str name; /* not a linkage name if `plain` is set */
	/* qualified name, or empty if `name` has no scope */
	struct str scoped;
	/* path of the declaration, or empty if unknown */
	struct str path;
	uint32_t line; /* line of the declaration */
};

/*
 * The source line of the code from va up to the next row.  `file` is UINT32_MAX if there is no
 * code.
 */
struct line_row {
	uint64_t va;
	uint32_t file, line;
};

/* The flat table of a unit's lines. */
struct lines {
	struct line_row *row;
	size_t n;
	struct str *file; /* paths */
	size_t files;
	uint32_t first_file; /* number of the first element of `file` */
};

struct unit {
	struct dwarf *d;
	/* for a split unit, the file that contains it.  Otherwise d */
	const struct dwarf *file;
	Dwarf *dbg; /* libdw's handle of `file` */
	const struct dwarf_sections *from;
	Dwarf_Die root;     /* root entry.  addr is NULL if the unit is unreadable */
	uint64_t off, size; /* position in .debug_info, including the header */
	uint64_t id;        /* the common id of a split unit and its skeleton */
	uint64_t low;       /* base address of its ranges */
	uint64_t lists;     /* offset of its table in .debug_rnglists */
	uint16_t version;
	uint8_t word, address; /* sizes in bytes of an offset and of an address */
	bool is_skeleton, is_split;
	bool placed, walked, split_tried, lines_tried;
	bool asked; /* the cache was searched for the unit */
	bool fresh; /* the unit was read from the file */
	/* the split unit of this skeleton, and the next element in the list of split units */
	struct unit *split, *next;
	struct symtab code;          /* symbol.base is the index of the scope */
	size_t scope_near, row_near; /* last results, in `code` and in lines->row */
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
	struct str bytes;         /* content of the file */
	struct dwarf_cache *kept; /* data of dwarf_cache.c, or NULL */
	bool late;    /* only the cache was read, and the file is not open yet */
	bool changed; /* data that the cache lacks was read */
	struct dwarf_sections sections;
	Dwarf *dbg;
	/* bytes that may still be read.  The limit protects against malicious files */
	uint64_t work;
	struct unit *unit;
	size_t units, units_cap;
	uint64_t listed;       /* end of the last listed unit */
	bool has_split;        /* at least one unit is in a split file */
	struct symtab code;    /* symbol.base is the index of the unit */
	size_t unit_near;      /* index in `code` of the last result, or 0 */
	bool rest_placed;      /* the trees of all units without own ranges were read */
	struct table abbrevs;  /* offsets of checked abbreviation tables */
	struct table lines_of; /* offset of a line table -> 1 + index in `lines` */
	struct lines **lines;
	size_t nlines, lines_cap;
	struct interner paths; /* paths of all line tables */
	/* 1 + length of the longest string in .debug_line_str, or 0 if not measured */
	size_t longest_path;
	struct code_range *range; /* ranges of the last entry that was read */
	size_t ranges, ranges_cap;
	struct dwarf *alt;
	struct dwarf_splits splits;
	struct dwarf *files, *next; /* files returned by splits.find */
	struct unit *split;         /* split units found in `files` */
	size_t missing;
};

/* Subtracts bytes from the work budget.  Returns false if the budget is spent. */
bool dwarf_unit_may(struct dwarf *d, uint64_t bytes);

/* Opens d's bytes and lists the units.  Returns false if there are no units. */
bool dwarf_unit_list(struct dwarf *d);

/*
 * Reads a number from an attribute of an entry.  Returns false if the attribute is
 * missing.
 */
bool dwarf_unit_number(Dwarf_Die *die, unsigned name, uint64_t *out);
struct str dwarf_unit_string(Dwarf_Attribute *at);

/*
 * The attributes of an entry that describe its code ranges and, if it is inlined, its call.
 */
struct code_attrs {
	Dwarf_Attribute low, high, ranges;
	Dwarf_Word call_file, call_line;
};

/*
 * Reads the code_attrs of an entry.  Stores the code ranges of the entry in u->d->range.
 */
void dwarf_unit_code(struct unit *u, Dwarf_Die *die, struct code_attrs *at);

/* Returns the split unit of a skeleton, or NULL if it is not available. */
struct unit *dwarf_unit_split(struct unit *u);

/* Closes the libdw handles of d and of the files that were passed to d. */
void dwarf_unit_close(struct dwarf *d);

#endif
