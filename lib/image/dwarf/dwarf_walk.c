/* DWARF 5, 2.3: an entry is followed by its children.  A NUL byte ends a list of siblings. */
#include "image/dwarf/dwarf_walk.h"

bool dwarf_walk_is_scope(int tag)
{
	switch (tag) {
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
	case DW_TAG_formal_parameter:
	case DW_TAG_variable:
	case DW_TAG_GNU_formal_parameter_pack:
	case DW_TAG_GNU_template_parameter_pack:
		return false;
	default:
		return true;
	}
}

/*
 * Moves to the entry that follows the children of the current entry.  Returns false at the end.
 */
static bool pass(struct dwarf_walk *w)
{
	const char *end =
	        (const char *)w->u->from->at[DW_INFO].p + w->u->off + w->u->size;
	Dwarf_Die next;
	int r = dwarf_siblingof(&w->die, &next);

	w->die = next;
	if (r <= 0)
		return !r;
	/* A NUL ends a list of siblings, so the list one level up continues. */
	w->die = (Dwarf_Die){ .addr = next.addr, .cu = w->u->root.cu };
	while (w->die.addr && (const char *)w->die.addr < end &&
	       !*(const char *)w->die.addr) {
		if (--w->depth == 0)
			return false;
		w->die.addr = (char *)w->die.addr + 1;
	}
	return w->die.addr && (const char *)w->die.addr < end;
}

bool dwarf_walk_next(struct dwarf_walk *w, bool into)
{
	Dwarf_Die below;
	int r = into ? dwarf_child(&w->die, &below) : 1;

	if (r > 0)
		return w->depth && pass(w);
	if (r < 0 || w->depth + 1 == DWARF_WALK_DEPTH)
		return false;
	w->depth++;
	w->die = below;
	return true;
}
