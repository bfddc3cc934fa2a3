/*
 * dwarf_walk - visits the entries of a unit one after the other.  Private to image/dwarf/.
 *
 * The entries of a unit form a tree.  The walk visits an entry before its children, so the
 * offsets of visited entries ascend.
 */
#ifndef IMAGE_DWARF_DWARF_WALK_H
#define IMAGE_DWARF_DWARF_WALK_H

#include "image/dwarf/dwarf_unit.h"

/* limit of the tree's depth.  Compilers write up to 60 levels */
enum { DWARF_WALK_DEPTH = 512 };

struct dwarf_walk {
	struct unit *u;
	Dwarf_Die die; /* the current entry.  The caller sets it to the root of u */
	size_t depth;  /* level of the current entry.  The root has level 0 */
};

/*
 * Moves to the next entry.  If `into` is set and the entry has children, moves to its first
 * child.  Otherwise skips the children.  Returns false at the end of the unit.
 */
bool dwarf_walk_next(struct dwarf_walk *w, bool into);

/* Returns true if entries with that tag may contain functions or types. */
bool dwarf_walk_is_scope(int tag);

#endif
