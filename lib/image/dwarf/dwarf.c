/*
 * readelf --debug-dump=info, of C that gcc compiled:
 *
 *	<1><8a>: Abbrev Number: 7 (DW_TAG_subprogram)
 *	   DW_AT_name        : leaf
 *	   DW_AT_low_pc      : 0x1129
 *	   DW_AT_high_pc     : 0x4a
 *	<2><c3>: Abbrev Number: 14 (DW_TAG_inlined_subroutine)
 *	   DW_AT_abstract_origin: <0x12d>
 *	   DW_AT_ranges      : 0xc
 *	   DW_AT_call_file   : 1
 *	   DW_AT_call_line   : 14
 *
 * libdw is not used for this: it opens split units and what dwz moved by path, cannot
 * be handed a split unit, and reads no zstd.
 */
#include "image/dwarf/dwarfkeep.h"
#include "image/elf/relocate.h"

enum {
	WORK_AT_LEAST = 1 << 16,
	WORK_FACTOR = 8,           /* each byte is read at most so often on average */
	NAME_MAX_BYTES = 64 << 10, /* what is longer is no name */
};

static const char *const section_names[DWARF_SECTIONS] = {
	[DW_INFO] = ".debug_info",         [DW_ABBREV] = ".debug_abbrev",
	[DW_STR] = ".debug_str",           [DW_STR_OFFSETS] = ".debug_str_offsets",
	[DW_ADDR] = ".debug_addr",         [DW_RANGES] = ".debug_ranges",
	[DW_RNGLISTS] = ".debug_rnglists", [DW_LINE] = ".debug_line",
	[DW_LINE_STR] = ".debug_line_str", [DW_CU_INDEX] = ".debug_cu_index",
};

/* Split units' sections are called ".debug_info.dwo". */
static void find_sections(struct dwarf *d, const struct section_file *f)
{
	for (size_t i = 0; i < DWARF_SECTIONS; i++) {
		struct str name = str_of(section_names[i]);

		if (d->split && i != DW_CU_INDEX)
			name = arena_fmt(d->arena, PRSTR ".dwo", STRARG(name));
		d->section[i] = relocate_find(f, name, d->arena);
		d->work += WORK_FACTOR * d->section[i].n;
	}
}

static bool read_file(struct dwarf *d)
{
	struct section_file f;

	if (!section_open(&f, d->bytes))
		return false;
	if (f.relocatable)
		f.va = relocate_layout(&f, d->arena);
	d->swap = f.swap;
	d->work = WORK_AT_LEAST;
	find_sections(d, &f);
	if (!d->section[DW_INFO].n) {
		d->split = true;
		find_sections(d, &f);
	}
	if (!d->section[DW_INFO].n || !d->section[DW_ABBREV].n)
		return false;
	dwarf_list_units(d);
	return true;
}

struct dwarf *dwarf_open(struct str bytes, struct arena *a)
{
	struct dwarf *d = arena_new(a, struct dwarf, 1);

	d->arena = a;
	d->bytes = bytes;
	return read_file(d) ? d : NULL;
}

/* What was had from the cache stays; where the rest lies, the file says. */
void dwarf_read_late(struct dwarf *d)
{
	struct unit *unit = d->unit;
	size_t units = d->units;

	if (!d->late)
		return;
	d->late = false;
	d->unit = NULL;
	d->units = d->units_cap = 0;
	read_file(d);
	for (size_t i = 0; i < units && i < d->units; i++) {
		struct unit was = unit[i];

		unit[i] = d->unit[i];
		unit[i].placed = was.placed;
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

void dwarf_give_alt(struct dwarf *d, struct dwarf *alt)
{
	d->alt = alt;
}

void dwarf_give_splits(struct dwarf *d, const struct dwarf_splits *splits)
{
	d->splits = *splits;
}

size_t dwarf_splits_missing(const struct dwarf *d)
{
	return d->missing;
}

static void add_range(struct dwarf *d, uint64_t start, uint64_t end, size_t unit)
{
	symtab_add(&d->code, d->arena, start, end - start, (struct str){ 0 });
	d->code.sym[d->code.n - 1].base = unit;
}

/* What the root says of where the unit's code is. */
static void place_unit(struct dwarf *d, size_t i)
{
	struct unit *u = &d->unit[i];
	const struct abbrev *ab;
	struct attrs at;
	struct cursor c;

	u->walked = !dwarf_root(u);
	if (u->walked)
		return;
	c = dwarf_at(d, DW_INFO, u->root);
	ab = dwarf_entry(u, &c);
	dwarf_attrs(u, &c, ab, &at);
	dwarf_ranges_of(u, &at);
	for (size_t k = 0; k < d->ranges; k++)
		add_range(d, d->range[k].start, d->range[k].end, i);
	/* What dwz moved into units of their own is no code. */
	u->placed = d->ranges || ab->tag == DW_TAG_partial_unit;
}

static void place_units(struct dwarf *d)
{
	d->changed = true;
	for (size_t i = 0; i < d->units; i++)
		place_unit(d, i);
	symtab_sort(&d->code, d->arena);
}

/* Roots of old compilers, and of link-time optimisation, say nothing. */
static void place_rest(struct dwarf *d)
{
	d->changed = true;
	for (size_t i = 0; i < d->units; i++) {
		struct unit *u = &d->unit[i];

		if (u->placed)
			continue;
		dwarf_walk(u);
		for (size_t k = 0; k < u->code.n; k++)
			add_range(d, u->code.sym[k].start, u->code.sym[k].end, i);
	}
	symtab_sort(&d->code, d->arena);
}

static struct unit *unit_at(struct dwarf *d, uint64_t va)
{
	const struct symbol *s;

	if (!d->code.sorted)
		place_units(d);
	s = symtab_find(&d->code, va);
	if (!s && !d->rest_placed) {
		d->rest_placed = true;
		place_rest(d);
		s = symtab_find(&d->code, va);
	}
	return s ? &d->unit[s->base] : NULL;
}

struct str dwarf_scope_name(struct unit *u, struct scope *s)
{
	if (!s->named) {
		s->named = true;
		s->name = dwarf_name_of(u, s->entry, &s->plain);
		if (s->name.n > NAME_MAX_BYTES)
			s->name = (struct str){ 0 };
	}
	return s->name;
}

/*
 * A function that linkers call otherwise than DWARF does, as far as DWARF tells:
 * addr2line says its symbol when it meets it as the innermost one, from then on if it
 * is the one that is there, and only at that address if it is an inlined one.
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

/* The tree that describes u's code. */
static struct unit *tree_of(struct unit *u)
{
	struct unit *split = u->dwo_name.form ? dwarf_split_of(u) : NULL;

	return split ? split : u;
}

size_t dwarf_find(struct dwarf *d, uint64_t va, struct dwarf_place *out, size_t max)
{
	struct unit *u = unit_at(d, va), *tree = u ? tree_of(u) : NULL;
	const struct lines *l = u ? dwarf_lines_of(u) : NULL;
	const struct line_row *row = l ? dwarf_row(l, va) : NULL;
	const struct symbol *s;
	struct dwarf_place at = { 0 };
	uint32_t scope;
	size_t n = 0;

	if (!u || !max)
		return 0;
	if (row && row->line) {
		at.file = dwarf_file_of(l, row->file);
		at.line = row->line;
	}
	dwarf_walk(tree);
	s = symtab_find(&tree->code, va);
	scope = s ? (uint32_t)s->base + 1 : 0;
	if (!scope) {
		out[0] = at;
		return at.line != 0;
	}
	while (scope && n < max) {
		struct scope *sc = &tree->scope[scope - 1];

		at.func = dwarf_scope_name(tree, sc);
		at.by_symbol = symbol_is_said(sc, va, !n);
		out[n++] = at;
		at = (struct dwarf_place){ .line = sc->call_line };
		if (l)
			at.file = dwarf_file_of(l, sc->call_file);
		scope = sc->parent;
	}
	return n;
}
