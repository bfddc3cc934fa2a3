/*
 * dwarf - inlined functions and source lines.
 *
 * libdw reads DWARF 2 to 5 from a file's bytes.  The units are listed when the file is opened.  A
 * unit's tree and its lines are read into flat tables when an address in the unit is first looked
 * up.  No path is opened here: callers find the common file of dwz and the files of split units,
 * and pass them.
 *
 * Addresses are va.  Results live as long as the arena and the file's bytes, until dwarf_close.
 * Specifications: DWARF 5, DWARF 4 and GNU's extensions for split units and dwz.
 */
#ifndef IMAGE_DWARF_DWARF_H
#define IMAGE_DWARF_DWARF_H

#include "base/arena.h"

struct dwarf;

/* Returns NULL if there is no readable debug information. */
struct dwarf *dwarf_open(struct str bytes, struct arena *a);

/* Passes the common file that .gnu_debugaltlink names, or NULL.  d closes it. */
void dwarf_give_alt(struct dwarf *d, struct dwarf *alt);

/*
 * Split units: asked for the file that holds one (.dwo) by the names that the compiler gave it
 * and its directory, when an address in the unit is first asked for.  Returns NULL if it is not
 * there.  Units of a package (.dwp) are found in it by their id.
 */
struct dwarf_splits {
	struct dwarf *(*find)(void *ctx, struct str name, struct str directory);
	void *ctx;
};
void dwarf_give_splits(struct dwarf *d, const struct dwarf_splits *splits);
size_t dwarf_splits_missing(const struct dwarf *d);

/* A function at an address, and the line in it. */
struct dwarf_place {
	struct str func; /* the linkage name, or the name in the source.  May be empty */
	/* the name in the source with its scope, or empty to use func */
	struct str scoped;
	struct str file; /* without directories, or empty if unknown */
	uint32_t line;   /* 0 when unknown */
	struct str path; /* of the file that func is in, or empty if unknown */
	uint32_t begins; /* the line in it at which func begins */
	bool by_symbol;  /* addr2line 2.40 prints the symbol's name instead of func */
};

/*
 * Finds the functions at va, innermost first: inlined functions, then the function that contains
 * them.  The line of each but the first is the line of the call.  Returns their number, at most
 * max.
 */
size_t dwarf_find(struct dwarf *d, uint64_t va, struct dwarf_place *out, size_t max);

/* Closes d, its common file and its files of split units.  Accepts NULL. */
void dwarf_close(struct dwarf *d);

#endif
