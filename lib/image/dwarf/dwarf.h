/*
 * dwarf - finds inlined functions and source lines by address.
 *
 * libdw decodes DWARF 2 to 5 in the bytes of a file.  The units are listed when the file is
 * opened.  When an address in a unit is first looked up, the tree and the lines of the unit are
 * read into flat tables.  This module opens no files.  Callers find the common file of dwz and
 * the files of split units, and pass them to it.
 *
 * Addresses are va.  Results live until dwarf_close.  The arena and the file's bytes must live
 * that long.  Specifications: DWARF 5, DWARF 4 and GNU's extensions for split units and dwz.
 */
#ifndef IMAGE_DWARF_DWARF_H
#define IMAGE_DWARF_DWARF_H

#include "base/arena.h"

struct dwarf;

/* Returns NULL if there is no readable debug information. */
struct dwarf *dwarf_open(struct str bytes, struct arena *a);

/*
 * Sets the common file of dwz, to which .gnu_debugaltlink refers, or NULL.  dwarf_close(d) also
 * closes alt.
 */
void dwarf_give_alt(struct dwarf *d, struct dwarf *alt);

/*
 * A callback that finds the files of split units.  When an address in a split unit is first
 * looked up, `find` is called with the name and the directory of the unit's .dwo file, as the
 * compiler wrote them.  `find` may return a .dwo, a package (.dwp), or NULL.  In a package, the
 * unit is found by its id.
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
	struct str func; /* the linkage name, or else the source name.  May be empty */
	/* the source name with its scope.  If empty, use `func` */
	struct str scoped;
	struct str file; /* path, or empty if unknown */
	uint32_t line;   /* 0 if unknown */
	struct str path; /* path of the file that declares `func`, or empty if unknown */
	uint32_t begins; /* line of `path` at which func begins */
	bool by_symbol; /* addr2line 2.40 prints the name of the symbol instead of func */
	/*
	 * number of bytes from the address on that have the same places, except by_symbol, or
	 * 0 if unknown
	 */
	uint64_t same;
};

/*
 * Finds the functions at va, innermost first: inlined functions, and then the function that
 * contains them.  Only out[0] states `same`.  The line of out[0] is the line of va.  The line of
 * out[i] is the line at which this function calls the function in out[i - 1].  Returns the number
 * of functions, at most max.
 */
size_t dwarf_find(struct dwarf *d, uint64_t va, struct dwarf_place *out, size_t max);

/* Closes d, its common file and its files of split units.  d may be NULL. */
void dwarf_close(struct dwarf *d);

#endif
