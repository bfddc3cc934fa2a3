/*
 * dwarf - inlined functions and source lines.
 *
 * libdw reads DWARF 2 to 5 from a file's bytes.  The units are listed when the file is
 * opened.  A unit's tree and its lines are read into flat tables when an address in the
 * unit is first looked up.  This module opens no files.  Its callers find the common file
 * of dwz and the files of split units, and pass them.
 *
 * Addresses are va.  Results live until dwarf_close, as long as the arena and the file's
 * bytes do.  Specifications: DWARF 5, DWARF 4 and GNU's extensions for split units and
 * dwz.
 */
#ifndef IMAGE_DWARF_DWARF_H
#define IMAGE_DWARF_DWARF_H

#include "base/arena.h"

struct dwarf;

/* Returns NULL if there is no readable debug information. */
struct dwarf *dwarf_open(struct str bytes, struct arena *a);

/*
 * Passes the common file that .gnu_debugaltlink names, or NULL.  dwarf_close(d) closes
 * it.
 */
void dwarf_give_alt(struct dwarf *d, struct dwarf *alt);

/*
 * Finds the files of split units.  When an address in a split unit is first looked up,
 * `find` is called with the name of its file (.dwo) and its directory, as the compiler
 * wrote them.  It returns NULL if it has no such file.  If it returns a package (.dwp),
 * the unit is found in it by its id.
 */
struct dwarf_splits {
	struct dwarf *(*find)(void *ctx, struct str name, struct str directory);
	void *ctx;
};
void dwarf_give_splits(struct dwarf *d, const struct dwarf_splits *splits);
size_t dwarf_splits_missing(const struct dwarf *d);
bool dwarf_has_splits(const struct dwarf *d); /* valid after the first lookup */

/* A function at an address, and a line in it. */
struct dwarf_place {
	struct str func; /* the linkage name, else the name in the source; may be empty */
	/* the name in the source with its scope; if it is empty, use `func` */
	struct str scoped;
	struct str file; /* path, or empty if unknown */
	uint32_t line;   /* 0 when unknown */
	struct str path; /* path of the file that defines `func`, or empty if unknown */
	uint32_t begins; /* the line in it at which func begins */
	bool by_symbol;  /* addr2line 2.40 prints the symbol's name instead of func */
};

/*
 * Finds the functions at va, innermost first: inlined functions, then the function that
 * contains them.  The first has the line of va, each other function the line of its call.
 * Returns the number of functions, at most max.
 */
size_t dwarf_find(struct dwarf *d, uint64_t va, struct dwarf_place *out, size_t max);

/* Closes d, its common file and its files of split units.  Accepts NULL. */
void dwarf_close(struct dwarf *d);

#endif
