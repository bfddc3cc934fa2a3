/*
 * dwarf_walk - visits the entries of a unit one after the other.  Private to
 * image/dwarf/.
 *
 * The entries of a unit form a tree.  An entry is visited before its children, so the
 * offsets of the visited entries ascend.
 */
#ifndef IMAGE_DWARF_DWARF_WALK_H
#define IMAGE_DWARF_DWARF_WALK_H

#include "image/dwarf/dwarf_unit.h"

/* limit of the tree's depth; compilers write 60 levels */
enum { DWARF_WALK_DEPTH = 512 };

struct dwarf_walk {
	struct unit *u;
	Dwarf_Die die; /* the current entry; begin with the root of u */
	size_t depth;  /* level of the current entry; the root has 0 */
};

/*
 * Moves to the next entry.  With `into`, this is the first child, if there is one.
 * Otherwise the children are skipped.  Returns false at the end of the unit.
 */
bool dwarf_walk_next(struct dwarf_walk *w, bool into);

/*
 * Returns true if functions or types may be below an entry of that tag.  Variables do not
 * count.
 */
bool dwarf_walk_is_scope(int tag);

#endif
