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

/* A function with code of its own, or one compiled into another. */
struct scope {
	uint64_t entry; /* offset from the unit's root */
	/* index + 1 of the scope that it is inlined into, or 0 for a function */
	uint32_t parent;
	uint32_t call_file, call_line;
	bool named, plain, met;
	/* set on the first visit: an address at which it is the innermost scope */
	uint64_t first_va;
	struct str name;   /* set with the name.  plain: not a linkage name */
	struct str scoped; /* the same with its scope, or empty if the scope is empty */
	struct str path;   /* of the file that declares it, or empty if unknown */
	uint32_t line;     /* of the declaration */
};

/* Code at va and above belongs to this line.  With file UINT32_MAX, no code follows. */
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
	const struct dwarf *file; /* of a split unit the one it is in, else d */
	Dwarf *dbg;               /* of a split unit a handle of its own, else d's */
	const struct dwarf_sections *from;
	Dwarf_Die root;     /* addr NULL: the unit cannot be read */
	uint64_t off, size; /* in .debug_info, the header included */
	uint64_t id;        /* of a split unit and its skeleton */
	uint64_t low;       /* base of its ranges */
	uint64_t lists;     /* the offset of its table of lists in .debug_rnglists */
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
	struct dwarf_cache *kept; /* dwarf_cache.c: its cached data, or NULL */
	bool late;                /* the file itself was not opened yet */
	bool changed;             /* something was read that the cache lacks */
	struct dwarf_sections sections;
	Dwarf *dbg;
	/*
	 * bytes that may still be read, so that hostile files cannot use unlimited time
	 */
	uint64_t work;
	struct unit *unit;
	size_t units, units_cap;
	uint64_t listed;       /* the end of the last one in .debug_info */
	bool has_split;        /* some unit's tree is in another file */
	struct symtab code;    /* base of a symbol: index of unit */
	bool rest_placed;      /* units without ranges were walked */
	struct table abbrevs;  /* offsets of tables of abbreviations that were checked */
	struct table lines_of; /* offset -> index of lines + 1 */
	struct lines **lines;
	size_t nlines, lines_cap;
	struct interner paths; /* of all lines */
	/* bytes in .debug_line_str, plus 1, or 0 if not measured */
	size_t longest_path;
	struct code_range *range; /* of the entry at hand */
	size_t ranges, ranges_cap;
	struct dwarf *alt;
	struct dwarf_splits splits;
	struct dwarf *files, *next; /* files that splits.find returned */
	struct unit *split;         /* those that were found in them */
	size_t missing;
};

/* Uses bytes of the work budget.  Returns false if it is used up. */
bool dwarf_unit_may(struct dwarf *d, uint64_t bytes);

/* Reads d's bytes and lists the units.  Returns false if there are no units. */
bool dwarf_unit_list(struct dwarf *d);

/* Reads a number from an attribute of an entry.  Returns false if it is missing. */
bool dwarf_unit_number(Dwarf_Die *die, unsigned name, uint64_t *out);
struct str dwarf_unit_string(Dwarf_Attribute *at);

/* An entry's code ranges and the call that it was inlined at. */
struct code_attrs {
	Dwarf_Attribute low, high, ranges;
	Dwarf_Word call_file, call_line;
};

/* Reads them, and the ranges of the entry's code into d->range of u's d. */
void dwarf_unit_code(struct unit *u, Dwarf_Die *die, struct code_attrs *at);

/* Returns the unit with the tree of this skeleton, or NULL if it is not available. */
struct unit *dwarf_unit_split(struct unit *u);

/* Closes libdw's handles of d and of the files that were handed to it. */
void dwarf_unit_close(struct dwarf *d);

#endif
