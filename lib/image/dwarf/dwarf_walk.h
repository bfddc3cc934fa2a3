/*
 * dwarf_walk - the entries of a unit, one after the other.  Private to image/dwarf/.
 *
 * The entries of a unit form a tree.  A walk visits an entry before its children, so the offsets
 * of the entries ascend.
 */
#ifndef IMAGE_DWARF_DWARF_WALK_H
#define IMAGE_DWARF_DWARF_WALK_H

#include "image/dwarf/dwarf_unit.h"

enum { DWARF_WALK_DEPTH = 512 }; /* levels of the tree.  Compilers write 60 */

struct dwarf_walk {
	struct unit *u;
	Dwarf_Die die; /* the current entry, which is the root of u in a new walk */
	size_t depth;  /* its level, 0 for the root */
};

/*
 * Moves to the next entry: with `into` to the first child, if there is one, else to the entry
 * after the current one and its children.  Returns false at the end of the unit.
 */
bool dwarf_walk_next(struct dwarf_walk *w, bool into);

/*
 * Returns true if an entry of that tag may have functions or types below it.  Variables do not.
 */
bool dwarf_walk_is_scope(int tag);

#endif
