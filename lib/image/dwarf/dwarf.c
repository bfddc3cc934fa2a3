/*
 * Finds the functions and the line at an address.  Determines the unit first, and then searches
 * the unit's flat tables of functions and lines.
 */
#include <errno.h>

#include "image/dwarf/dwarf_cache.h"
#include "image/dwarf/dwarf_lines.h"
#include "image/dwarf/dwarf_names.h"
#include "image/dwarf/dwarf_walk.h"

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
 * address, which takes 5 ms.  dwarf_getscopes also fails on output of clang.
 */

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

/* Reads the tree of u's entries into u->code and u->scope. */
static void walk_scopes(struct unit *u)
{
	struct walk w = { .at = { .u = u, .die = u->root } };

	if (!u->root.addr || !dwarf_unit_may(u->d, u->size))
		return;
	while (step(&w))
		;
	symtab_sort(&u->code, u->d->arena);
}

struct dwarf *dwarf_open(struct str bytes, struct arena *a)
{
	struct dwarf *d = arena_new(a, struct dwarf, 1);
	bool good;

	d->arena = a;
	d->bytes = bytes;
	errno = 0;
	good = dwarf_unit_list(d);
	/* If memory has run out, libdw has omitted data, so the program must end. */
	arena_checked(NULL);
	return good ? d : NULL;
}

/*
 * Opens the file if only the cache was read.  Callers use this function if the cache lacks
 * data.  Keeps the data that was read from the cache.
 */
static void read_late(struct dwarf *d)
{
	struct unit *unit = d->unit;
	size_t units = d->units;

	if (!d->late)
		return;
	d->late = false;
	d->unit = NULL;
	d->units = d->units_cap = 0;
	dwarf_unit_list(d);
	dwarf_give_alt(d, d->alt);
	for (size_t i = 0; i < units && i < d->units; i++) {
		struct unit was = unit[i];

		unit[i] = d->unit[i];
		unit[i].placed = was.placed;
		unit[i].asked = was.asked;
		unit[i].fresh = was.fresh;
		unit[i].walked = was.walked;
		unit[i].code = was.code;
		unit[i].scope = was.scope;
		unit[i].scopes = unit[i].scopes_cap = was.scopes;
		unit[i].lines_tried = was.lines_tried;
		unit[i].lines = was.lines;
	}
	d->unit = unit;
	d->units = units;
}

static void read_scopes(struct unit *u)
{
	dwarf_cache_take(u);
	if (u->walked)
		return;
	u->walked = true;
	read_late(u->d);
	u->d->changed = u->fresh = true;
	errno = 0;
	walk_scopes(u);
	arena_checked(NULL);
}

static const struct lines *read_lines(struct unit *u)
{
	dwarf_cache_take(u);
	if (u->lines_tried)
		return u->lines;
	u->lines_tried = true;
	read_late(u->d);
	u->d->changed = u->fresh = true;
	errno = 0;
	u->lines = dwarf_lines_read(u);
	arena_checked(NULL);
	return u->lines;
}

void dwarf_give_alt(struct dwarf *d, struct dwarf *alt)
{
	d->alt = alt;
	if (d->dbg && alt && alt->dbg)
		dwarf_setalt(d->dbg, alt->dbg);
}

void dwarf_give_splits(struct dwarf *d, const struct dwarf_splits *splits)
{
	d->splits = *splits;
}

bool dwarf_has_splits(const struct dwarf *d)
{
	return d->has_split;
}

size_t dwarf_splits_missing(const struct dwarf *d)
{
	return d->missing;
}

void dwarf_close(struct dwarf *d)
{
	if (!d)
		return;
	dwarf_unit_close(d);
	dwarf_cache_unload(d);
}

static void add_range(struct dwarf *d, uint64_t start, uint64_t end, size_t unit)
{
	symtab_add(&d->code, d->arena, start, end - start, (struct str){ 0 });
	d->code.sym[d->code.n - 1].base = unit;
}

/* Adds the code ranges that the root entry of a unit lists. */
static void place_unit(struct dwarf *d, size_t i)
{
	struct unit *u = &d->unit[i];
	struct code_attrs unused;

	dwarf_unit_code(u, &u->root, &unused);
	for (size_t k = 0; k < d->ranges; k++)
		add_range(d, d->range[k].start, d->range[k].end, i);
	/* Partial units, which dwz makes, contain no code, so they need no further search. */
	u->placed = d->ranges || dwarf_tag(&u->root) == DW_TAG_partial_unit;
}

static void place_units(struct dwarf *d)
{
	d->changed = true;
	for (size_t i = 0; i < d->units; i++)
		place_unit(d, i);
	symtab_sort(&d->code, d->arena);
}

/*
 * Reads the trees of all units without ranges in their root entry.  Old compilers and link-time
 * optimisation make such units.
 */
static void place_rest(struct dwarf *d)
{
	d->changed = true;
	for (size_t i = 0; i < d->units; i++) {
		struct unit *u = &d->unit[i];

		if (u->placed)
			continue;
		read_scopes(u);
		for (size_t k = 0; k < u->code.n; k++)
			add_range(d, u->code.sym[k].start, u->code.sym[k].end, i);
	}
	symtab_sort(&d->code, d->arena);
}

/* Returns the unit at va, or NULL.  Sets *end to the end of the range that contains va. */
static struct unit *unit_at(struct dwarf *d, uint64_t va, uint64_t *end)
{
	const struct symbol *s;

	if (!d->code.sorted)
		place_units(d);
	s = symtab_find_near(&d->code, va, &d->unit_near);
	if (!s && !d->rest_placed) {
		d->rest_placed = true;
		place_rest(d);
		s = symtab_find(&d->code, va);
	}
	*end = s ? s->end : va;
	return s ? &d->unit[s->base] : NULL;
}

/*
 * Returns true if addr2line prints the symbol instead of the function's name.  The function
 * must have no linkage name, and this lookup or an earlier one must have found it as the
 * innermost function.  For an inlined function, this lookup must find it as the innermost
 * function, at the address of the first such lookup.
 */
static bool symbol_is_said(struct scope *s, uint64_t va, bool innermost)
{
	if (innermost && !s->met) {
		s->met = true;
		s->first_va = va;
	}
	if (!s->plain || !s->met)
		return false;
	return !s->parent || (innermost && s->first_va == va);
}

/* Returns the unit that contains the tree of u: the split unit of u, or u itself. */
static struct unit *tree_of(struct unit *u)
{
	struct unit *split = u->is_skeleton ? dwarf_unit_split(u) : NULL;

	return split ? split : u;
}

size_t dwarf_find(struct dwarf *d, uint64_t va, struct dwarf_place *out, size_t max)
{
	uint64_t end;
	struct unit *u = unit_at(d, va, &end), *tree = u ? tree_of(u) : NULL;
	const struct lines *l = u ? read_lines(u) : NULL;
	const struct line_row *row =
	        l ? dwarf_lines_row(l, va, &u->row_near, &end) : NULL;
	const struct symbol *s;
	struct dwarf_place at = { 0 };
	uint32_t scope;
	size_t n = 0;

	if (!u || !max)
		return 0;
	if (row && row->line) {
		at.file = dwarf_lines_path(l, row->file);
		at.line = row->line;
	}
	read_scopes(tree);
	s = symtab_find_near(&tree->code, va, &tree->scope_near);
	scope = s ? (uint32_t)s->base + 1 : 0;
	if (!scope) {
		out[0] = at;
		return at.line != 0;
	}
	while (scope && n < max) {
		struct scope *sc = &tree->scope[scope - 1];

		dwarf_names_read(tree, sc);
		at.func = sc->name;
		at.scoped = sc->scoped;
		at.by_symbol = symbol_is_said(sc, va, !n);
		at.path = sc->path;
		at.begins = sc->line;
		out[n++] = at;
		at = (struct dwarf_place){ .line = sc->call_line };
		if (l)
			at.file = dwarf_lines_path(l, sc->call_file);
		scope = sc->parent;
	}
	out[0].same = out[0].by_symbol ? 0 : (s->end < end ? s->end : end) - va;
	return n;
}
