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
 * The tree is read once into a table of ranges: dwarf_getscopes reads it for each
 * address, which takes 5 ms, and fails on what clang writes.
 */
#include "image/dwarf/dwarf_scopes.h"

enum {
	MAX_DEPTH = 512, /* of the tree; compilers reach 60 */
	MAX_CHAIN = 16,  /* of entries that are about the same function */
};

struct walk {
	struct unit *u;
	Dwarf_Die die;
	size_t depth;
	uint32_t scope
	        [MAX_DEPTH]; /* the scope around the entries of each level; index + 1 */
};

static uint32_t add_scope(struct walk *w, uint32_t parent, const struct code_attrs *at)
{
	struct unit *u = w->u;
	struct arena *a = u->d->arena;

	u->scope =
	        arena_grow(a, u->scope, &u->scopes_cap, u->scopes + 1, sizeof(*u->scope));
	u->scope[u->scopes++] = (struct scope){
		.entry = (uint64_t)((char *)w->die.addr - (char *)u->root.addr),
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

/* Adds a scope if the entry has code; returns the scope around its children. */
static uint32_t enter(struct walk *w, bool inlined)
{
	uint32_t around = w->scope[w->depth];
	struct code_attrs at;

	dwarf_unit_code(w->u, &w->die, &at);
	if (!w->u->d->ranges || (inlined && !around))
		return inlined ? around : 0;
	return add_scope(w, inlined ? around : 0, &at);
}

/* Types and variables have no code below them: their children are not read. */
static bool may_hold_code(int tag)
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

/* Moves to the entry behind this one and its children.  False: the end. */
static bool pass(struct walk *w)
{
	const char *end =
	        (const char *)w->u->from->at[DW_INFO].p + w->u->off + w->u->size;
	Dwarf_Die next;
	int r = dwarf_siblingof(&w->die, &next);

	w->die = next;
	if (r <= 0)
		return !r;
	/* A NUL ends the list; the list of the level above goes on behind it. */
	w->die = (Dwarf_Die){ .addr = next.addr, .cu = w->u->root.cu };
	while (w->die.addr && (const char *)w->die.addr < end &&
	       !*(const char *)w->die.addr) {
		if (--w->depth == 0)
			return false;
		w->die.addr = (char *)w->die.addr + 1;
	}
	return w->die.addr && (const char *)w->die.addr < end;
}

/* Moves to the next entry, always to a higher offset.  False: the end. */
static bool step(struct walk *w)
{
	int tag = dwarf_tag(&w->die);
	uint32_t scope = w->scope[w->depth];
	bool inlined = tag == DW_TAG_inlined_subroutine;
	Dwarf_Die below;
	int r = 1;

	if (tag == DW_TAG_subprogram || inlined)
		scope = enter(w, inlined);
	if (may_hold_code(tag))
		r = dwarf_child(&w->die, &below);
	if (r > 0)
		return w->depth && pass(w);
	if (r < 0 || ++w->depth == MAX_DEPTH)
		return false;
	w->scope[w->depth] = scope;
	w->die = below;
	return true;
}

void dwarf_scopes_read(struct unit *u)
{
	struct walk w = { .u = u, .die = u->root };

	if (!u->root.addr || !dwarf_unit_may(u->d, u->size))
		return;
	while (step(&w))
		;
	symtab_sort(&u->code, u->d->arena);
}

/* The attributes that name a function, and the reference to another entry about it. */
struct name_attrs {
	Dwarf_Attribute linkage, name, origin;
};

static int take_name(Dwarf_Attribute *at, void *arg)
{
	struct name_attrs *to = arg;

	switch (dwarf_whatattr(at)) {
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		to->linkage = *at;
		break;
	case DW_AT_name:
		to->name = *at;
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		to->origin = *at;
		break;
	default:
		break;
	}
	return DWARF_CB_OK;
}

/* The entry at an offset in a file; false: beyond the units that were listed. */
static bool offset_die(const struct dwarf *file, Dwarf_Attribute *at, unsigned form,
                       Dwarf_Die *out)
{
	Dwarf_Word off;

	at->form = form;
	at->code = DW_AT_name; /* of a reference libdw would check it as an offset */
	return file && dwarf_formudata(at, &off) == 0 && off < file->listed &&
	       dwarf_offdie(file->dbg, off, out);
}

/*
 * The entry that a reference means; false: it is not in these files.  libdw 0.188 looks for
 * DW_FORM_ref_sup4 and ref_sup8, of DWARF 5, in the file itself.
 */
static bool refer(const struct unit *u, Dwarf_Attribute *at, Dwarf_Die *out)
{
	const struct dwarf *alt = u->d->alt, *own = u->file;
	uint8_t word, address;
	Dwarf_Half version;
	bool wide;

	if (!at->cu ||
	    dwarf_cu_info(at->cu, &version, NULL, NULL, NULL, NULL, &address, &word) != 0)
		return false;
	wide = word == 8;
	if (alt && dwarf_cu_getdwarf(at->cu) == alt->dbg)
		own = alt;
	switch (dwarf_whatform(at)) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return dwarf_formref_die(at, out);
	case DW_FORM_ref_addr:
		wide = version == 2 ? address == 8 : wide;
		return offset_die(own, at, wide ? DW_FORM_data8 : DW_FORM_data4, out);
	case DW_FORM_GNU_ref_alt:
		return offset_die(alt, at, wide ? DW_FORM_data8 : DW_FORM_data4, out);
	case DW_FORM_ref_sup4:
		return offset_die(alt, at, DW_FORM_data4, out);
	case DW_FORM_ref_sup8:
		return offset_die(alt, at, DW_FORM_data8, out);
	default:
		return false;
	}
}

/* Is the linkage name of a function its name in this language? */
static bool is_unmangled(Dwarf_Die *die)
{
	Dwarf_Die root;
	uint64_t language;

	if (dwarf_cu_info(die->cu, NULL, NULL, &root, NULL, NULL, NULL, NULL) != 0 ||
	    !dwarf_unit_number(&root, DW_AT_language, &language))
		return false;
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Fortran77:
	case DW_LANG_Pascal83:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* The first linkage name among the entries about a function, else the first name. */
static struct str name_of(struct unit *u, uint64_t entry, bool *plain)
{
	Dwarf_Die die = { .addr = (char *)u->root.addr + entry, .cu = u->root.cu };
	struct str name = { 0 };

	*plain = true;
	for (int i = 0; i < MAX_CHAIN; i++) {
		struct name_attrs at = { 0 };
		struct str linkage;

		if (dwarf_getattrs(&die, take_name, &at, 0) < 0)
			break;
		linkage = dwarf_unit_string(&at.linkage);
		if (linkage.n) {
			*plain = false;
			return linkage;
		}
		if (!name.n) {
			name = dwarf_unit_string(&at.name);
			*plain = !is_unmangled(&die);
		}
		if (!refer(u, &at.origin, &die))
			break;
	}
	return name;
}

struct str dwarf_scopes_name(struct unit *u, struct scope *s)
{
	if (!s->named) {
		s->named = true;
		s->name = name_of(u, s->entry, &s->plain);
	}
	return s->name;
}
