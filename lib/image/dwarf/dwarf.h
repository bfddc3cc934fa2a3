/*
 * dwarf - functions that were compiled into others, and source lines.
 *
 * libdw reads DWARF 2 to 5 from a file's bytes.  The units are listed when the file is
 * opened; a unit's tree and its lines are read, into flat tables, when an address in it
 * is first asked for.  No path is opened here: the common file that dwz wrote, and the
 * files of split units, are found by others and handed in.
 *
 * Addresses are va.  Everything lives as long as the arena and the file's bytes, and
 * until dwarf_close.
 * Specifications: DWARF 5, DWARF 4 and GNU's extensions for split units and dwz.
 */
#ifndef IMAGE_DWARF_DWARF_H
#define IMAGE_DWARF_DWARF_H

#include "base/arena.h"

struct dwarf;

/* NULL: no such information, or none that can be read. */
struct dwarf *dwarf_open(struct str bytes, struct arena *a);

/* Hands in the common file that .gnu_debugaltlink names, or NULL; d closes it. */
void dwarf_give_alt(struct dwarf *d, struct dwarf *alt);

/*
 * Split units: asked for the file that holds one (.dwo) by the names that the compiler
 * gave it and its directory, when an address in the unit is first asked for.  NULL: it
 * is not there.  Units of a package (.dwp) are found in it by their id.
 */
struct dwarf_splits {
	struct dwarf *(*find)(void *ctx, struct str name, struct str directory);
	void *ctx;
};
void dwarf_give_splits(struct dwarf *d, const struct dwarf_splits *splits);
size_t dwarf_splits_missing(const struct dwarf *d);

/* A function at an address, and the line in it. */
struct dwarf_place {
	struct str func; /* as linkers see it, else as in the source; may be empty */
	struct str scoped; /* as in the source, with the scope around it; empty: use func */
	struct str file; /* without directories; empty when unknown */
	uint32_t line;   /* 0 when unknown */
	bool by_symbol;  /* addr2line 2.40 says the symbol's name instead of func */
};

/*
 * What is at va, innermost first: the functions compiled into others, then the one
 * that is there.  The line of each but the first is that of the call.  Returns how
 * many, at most max; 0: nothing is known.
 */
size_t dwarf_find(struct dwarf *d, uint64_t va, struct dwarf_place *out, size_t max);

/* Closes d, its common file and its files of split units.  Accepts NULL. */
void dwarf_close(struct dwarf *d);

#endif
