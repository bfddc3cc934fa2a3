/*
 * Output of readelf --debug-dump=info for C code compiled by gcc:
 *
 * 	<1><8a>: Abbrev Number: 7 (DW_TAG_subprogram)
 * 	   DW_AT_name   : leaf
 * 	   DW_AT_low_pc      : 0x1129
 * 	   DW_AT_high_pc     : 0x4a
 * 	<2><c3>: Abbrev Number: 14 (DW_TAG_inlined_subroutine)
 * 	   DW_AT_abstract_origin: <0x12d>
 * 	   DW_AT_ranges      : 0xc
 * 	   DW_AT_call_file   : 1
 * 	   DW_AT_call_line   : 14
 *
 * The tree is read once into a table of ranges.  dwarf_getscopes would read the tree for each
 * address, which takes 5 ms.  It also fails on output of clang.
 */
#include "image/dwarf/dwarf_scopes.h"

#include "image/dwarf/dwarf_walk.h"

struct walk {
	struct dwarf_walk at;
	/* for each level: index + 1 of the scope that encloses the entries */
	uint32_t scope[DWARF_WALK_DEPTH];
};

static uint32_t add_scope(struct walk *w, uint32_t parent, const struct code_attrs *at)
{
	struct unit *u = w->at.u;
	struct arena *a = u->d->arena;

	*arena_push(a, u->scope, u->scopes, u->scopes_cap) = (struct scope){
		.entry = (uint64_t)((char *)w->at.die.addr - (char *)u->root.addr),
		.parent = parent,
		.call_file = (uint32_t)at->call_file,
		.call_line = (uint32_t)at->call_line,
	};
	for (size_t i = 0; i < u->d->ranges; i++) {
		const struct code_range *r = &u->d->range[i];

		symtab_add(&u->code, a, r->start, r->end - r->start, (struct str){ 0 });
		u->code.sym[u->code.n - 1].base = u->scopes - 1;
	}
	return (uint32_t)u->scopes;
}

/*
 * Adds a scope if the entry has code.  Returns index + 1 of the scope that encloses the entry's
 * children.
 */
static uint32_t enter(struct walk *w, bool inlined)
{
	uint32_t around = w->scope[w->at.depth];
	struct code_attrs at;

	dwarf_unit_code(w->at.u, &w->at.die, &at);
	if (!w->at.u->d->ranges || (inlined && !around))
		return inlined ? around : 0;
	return add_scope(w, inlined ? around : 0, &at);
}

/* Moves to the next entry.  Returns false at the end. */
static bool step(struct walk *w)
{
	int tag = dwarf_tag(&w->at.die);
	uint32_t scope = w->scope[w->at.depth];
	bool inlined = tag == DW_TAG_inlined_subroutine;
	size_t depth = w->at.depth;

	if (tag == DW_TAG_subprogram || inlined)
		scope = enter(w, inlined);
	if (!dwarf_walk_next(&w->at, dwarf_walk_is_scope(tag)))
		return false;
	if (w->at.depth > depth)
		w->scope[w->at.depth] = scope;
	return true;
}

void dwarf_scopes_read(struct unit *u)
{
	struct walk w = { .at = { .u = u, .die = u->root } };

	if (!u->root.addr || !dwarf_unit_may(u->d, u->size))
		return;
	while (step(&w))
		;
	symtab_sort(&u->code, u->d->arena);
}
