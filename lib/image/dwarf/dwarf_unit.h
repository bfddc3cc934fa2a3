/*
 * dwarf_unit - the units of a file, and the state of image/dwarf/dwarf.h.  Private to
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

/* A function with its own code, or a function inlined into another. */
struct scope {
	uint64_t entry; /* offset of its entry from the unit's root */
	/* index + 1 of the scope into which it is inlined; 0 if it is not inlined */
	uint32_t parent;
	uint32_t call_file, call_line;
	bool named, plain, met;
	/* the address at which it was first met as the innermost scope */
	uint64_t first_va;
	struct str name; /* set with the name.  plain: not a linkage name */
	/* the name of the function with its scope, or empty if it has no scope */
	struct str scoped;
	/* path of the file that declares the function, or empty if unknown */
	struct str path;
	uint32_t line; /* of the declaration */
};

/*
 * Code from va up to the next row belongs to this line.  If file is UINT32_MAX, no code
 * follows.
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
	uint32_t first_file; /* the number of file[0] */
};

struct unit {
	struct dwarf *d;
	const struct dwarf *file; /* the file that contains a split unit, else d */
	Dwarf *dbg;               /* libdw's handle: a split unit's own, else d's */
	const struct dwarf_sections *from;
	Dwarf_Die root;     /* root entry; its addr is NULL if the unit cannot be read */
	uint64_t off, size; /* position in .debug_info, including the header */
	uint64_t id;        /* id that a split unit and its skeleton share */
	uint64_t low;       /* base of its ranges */
	uint64_t lists;     /* offset of the unit's table of lists in .debug_rnglists */
	uint16_t version;
	uint8_t word, address; /* sizes of an offset and of an address, in bytes */
	bool is_skeleton, is_split;
	bool placed, walked, split_tried, lines_tried;
	bool asked; /* the cache was searched for the unit */
	bool fresh; /* the unit was read from the file, not from the cache */
	/*
	 * the split unit of this skeleton, and the next unit in the list of all split
	 * units
	 */
	struct unit *split, *next;
	struct symtab code; /* the base of a symbol is the index of its scope */
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
	struct dwarf_cache *kept; /* data of dwarf_cache.c, or NULL */
	/* true if only the cache was read, and the file was not opened yet */
	bool late;
	bool changed; /* data was read that is not in the cache */
	struct dwarf_sections sections;
	Dwarf *dbg;
	/* number of bytes that may still be read, to limit the time for hostile files */
	uint64_t work;
	struct unit *unit;
	size_t units, units_cap;
	uint64_t listed;       /* end of the last listed unit in .debug_info */
	bool has_split;        /* the tree of some unit is in another file */
	struct symtab code;    /* the base of a symbol is the index of its unit */
	bool rest_placed;      /* the trees of units without ranges were read */
	struct table abbrevs;  /* offsets of the abbreviation tables that were checked */
	struct table lines_of; /* offset of a line table -> index of its lines + 1 */
	struct lines **lines;
	size_t nlines, lines_cap;
	struct interner paths; /* of all lines */
	/* bytes in .debug_line_str, plus 1, or 0 if not measured */
	size_t longest_path;
	struct code_range *range; /* ranges of the entry that was read last */
	size_t ranges, ranges_cap;
	struct dwarf *alt;
	struct dwarf_splits splits;
	struct dwarf *files, *next; /* files that splits.find returned */
	struct unit *split;         /* split units that were found in `files` */
	size_t missing;
};

/* Takes bytes from the work budget.  Returns false if it is used up. */
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
 * The attributes of an entry for its code ranges and for the call at which it was
 * inlined.
 */
struct code_attrs {
	Dwarf_Attribute low, high, ranges;
	Dwarf_Word call_file, call_line;
};

/* Reads these attributes of an entry.  Stores the ranges of its code in u->d->range. */
void dwarf_unit_code(struct unit *u, Dwarf_Die *die, struct code_attrs *at);

/* Returns the split unit of a skeleton, or NULL if it is not available. */
struct unit *dwarf_unit_split(struct unit *u);

/* Closes the libdw handles of d and of the files that were passed to d. */
void dwarf_unit_close(struct dwarf *d);

#endif
