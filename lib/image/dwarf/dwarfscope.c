/*
 * A unit's tree, once from begin to end: which functions have code where, and which
 * were compiled into which.
 */
#include "image/dwarf/dwarfkeep.h"

struct walk {
	struct unit *u;
	struct cursor c;
	size_t depth;
	uint32_t scope[MAX_DEPTH]; /* what the entries of each level are in; index + 1 */
};

static uint32_t add_scope(struct unit *u, uint64_t entry, uint32_t parent,
                          const struct attrs *at)
{
	struct dwarf *d = u->d;

	u->scope = arena_grow(d->arena, u->scope, &u->scopes_cap, u->scopes + 1,
	                      sizeof(*u->scope));
	u->scope[u->scopes++] = (struct scope){ .entry = entry,
		                                .parent = parent,
		                                .call_file = (uint32_t)at->call_file.u,
		                                .call_line = (uint32_t)at->call_line.u };
	for (size_t i = 0; i < d->ranges; i++) {
		const struct code_range *r = &d->range[i];

		symtab_add(&u->code, d->arena, r->start, r->end - r->start,
		           (struct str){ 0 });
		u->code.sym[u->code.n - 1].base = u->scopes - 1;
	}
	return (uint32_t)u->scopes;
}

/* The scope of what is below this entry. */
static uint32_t enter(struct walk *w, const struct abbrev *ab, uint64_t entry)
{
	uint32_t around = w->scope[w->depth];
	bool inlined = ab->tag == DW_TAG_inlined_subroutine;
	struct attrs at;

	dwarf_attrs(w->u, &w->c, ab, &at);
	dwarf_ranges_of(w->u, &at);
	if (!w->u->d->ranges || (inlined && !around))
		return inlined ? around : 0;
	return add_scope(w->u, entry, inlined ? around : 0, &at);
}

/* Types and variables have no code below them, and are passed over at once. */
static bool may_hold_code(unsigned tag)
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

/* False: the end. */
static bool step(struct walk *w)
{
	uint64_t entry = (uint64_t)(w->c.p - w->u->d->section[DW_INFO].p);
	const struct abbrev *ab = dwarf_entry(w->u, &w->c);
	uint32_t scope = w->scope[w->depth];
	bool below;

	if (!ab)
		return !w->c.bad && w->depth-- > 1;
	below = ab->children;
	if (ab->tag == DW_TAG_subprogram || ab->tag == DW_TAG_inlined_subroutine) {
		scope = enter(w, ab, entry);
	} else if (ab->children && may_hold_code(ab->tag)) {
		struct attrs unused;

		dwarf_attrs(w->u, &w->c, ab, &unused);
	} else {
		below = !dwarf_skip(w->u, &w->c, ab);
	}
	if (below && ++w->depth == MAX_DEPTH)
		return false;
	if (below)
		w->scope[w->depth] = scope;
	return !w->c.bad && w->depth;
}

void dwarf_walk(struct unit *u)
{
	struct walk w = { .u = u };

	if (u->walked)
		return;
	u->walked = true;
	if (dwarf_kept_walk(u))
		return;
	dwarf_read_late(u->d);
	u->d->changed = u->fresh = true;
	if (!dwarf_root(u) || !dwarf_may(u->d, u->end - u->root))
		return;
	w.c = cur_over(
	        str_head(str_from(u->d->section[DW_INFO], u->root), u->end - u->root),
	        u->d->swap);
	while (step(&w))
		;
	symtab_sort(&u->code, u->d->arena);
}
