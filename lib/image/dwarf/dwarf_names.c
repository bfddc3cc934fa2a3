/*
 * Output of readelf --debug-dump=info for C++ code compiled by gcc.  The function `work` contains
 * a lambda, which is represented by a class without a name.  The class contains the lambda's
 * function:
 *
 * 	<1><9640>: Abbrev Number: 76 (DW_TAG_subprogram)
 * 	   DW_AT_name   : work
 * 	   DW_AT_linkage_name: _Z4workm
 * 	<2><96a9>: Abbrev Number: 78 (DW_TAG_structure_type)
 * 	<3><972d>: Abbrev Number: 80 (DW_TAG_subprogram)
 * 	   DW_AT_name   : operator()
 *
 * The origin of a function may be in another unit, and its class may be declared in a third unit.
 */
#include "image/dwarf/dwarf_names.h"

#include "image/dwarf/dwarf_lines.h"
#include "image/dwarf/dwarf_walk.h"

enum {
	/*
	 * maximum length of a chain of references: from entry to entry of one function, or from
	 * type to type
	 */
	MAX_CHAIN = 16,
	MAX_NESTED = 64,         /* limit of nested scopes */
	SCOPED_MAX_BYTES = 4096, /* longer names are printed without their scope */
	MAX_PARAMETERS = 64,     /* maximum number of parameters of a lambda */
};

/* languages that the headers of libdw 0.188 lack */
enum {
	CPP_17 = 0x2a,
	CPP_20 = 0x2b,
	CPP_23 = 0x3a,
};

/* An entry with children.  Its name is part of the names of functions in it. */
struct container {
	uint64_t entry, end; /* offsets from the root entry of the unit */
	uint32_t parent;     /* index + 1 of the enclosing container, or 0 for the unit */
	uint32_t depth;
	bool asked;
	/* name with its scope, set on first use.  Empty if unknown */
	struct str name;
};

/*
 * Attributes with the name and the declaration of a function, and the reference to another entry
 * for the same function.
 */
struct name_attrs {
	Dwarf_Attribute linkage, name, origin;
	Dwarf_Word file, line;
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
	case DW_AT_decl_file:
		dwarf_formudata(at, &to->file);
		break;
	case DW_AT_decl_line:
		dwarf_formudata(at, &to->line);
		break;
	default:
		break;
	}
	return DWARF_CB_OK;
}

/* Finds the entry at an offset in a file.  Returns false if no listed unit contains the offset. */
static bool offset_die(const struct dwarf *file, Dwarf_Attribute *at, unsigned form,
                       Dwarf_Die *out)
{
	Dwarf_Word off;

	at->form = form;
	/* libdw checks the values of references, so the attribute is passed as a name */
	at->code = DW_AT_name;
	return file && dwarf_formudata(at, &off) == 0 && off < file->listed &&
	       dwarf_offdie(file->dbg, off, out);
}

/*
 * Finds the entry to which a reference refers.  Returns false if the entry is neither in the
 * file of u nor in dwz's common file.  libdw 0.188 searches for DW_FORM_ref_sup4 and ref_sup8
 * of DWARF 5 in the wrong file, so this function resolves references of these forms itself.
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

/* Returns true for languages in which names of functions lack the enclosing scopes. */
static bool is_scoped(uint64_t language)
{
	switch (language) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case CPP_17:
	case CPP_20:
	case CPP_23:
	case DW_LANG_ObjC_plus_plus:
	case DW_LANG_Rust:
		return true;
	default:
		return false;
	}
}

/*
 * Returns true for languages without mangling, in which the source name is also the linkage name.
 */
static bool is_unmangled(uint64_t language)
{
	switch (language) {
	case 0: /* unspecified */
		return false;
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

/* Returns the language of the entry's unit, or 0 if it is not specified. */
static uint64_t language_of(Dwarf_Die *die)
{
	Dwarf_Die root;
	uint64_t language = 0;

	if (dwarf_cu_info(die->cu, NULL, NULL, &root, NULL, NULL, NULL, NULL) != 0 ||
	    !dwarf_unit_number(&root, DW_AT_language, &language))
		return 0;
	return language;
}

static bool is_container(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_subprogram:
		return true;
	default:
		return false;
	}
}

static uint64_t entry_of(const struct unit *u, const Dwarf_Die *die)
{
	return (uint64_t)((char *)die->addr - (char *)u->root.addr);
}

/* Reads the containers of a unit, in the order of their entries. */
static void read_containers(struct unit *u)
{
	struct dwarf_walk w = { .u = u, .die = u->root };
	uint32_t open = 0;

	u->contained = true;
	if (!u->root.addr || !dwarf_unit_may(u->d, u->size))
		return;
	for (bool more = true; more;) {
		int tag = dwarf_tag(&w.die);
		struct container at = { .entry = entry_of(u, &w.die),
			                .end = UINT64_MAX,
			                .depth = (uint32_t)w.depth };

		while (open && u->container[open - 1].depth >= w.depth) {
			u->container[open - 1].end = at.entry;
			open = u->container[open - 1].parent;
		}
		more = dwarf_walk_next(&w, dwarf_walk_is_scope(tag) &&
		                                   tag != DW_TAG_inlined_subroutine);
		if (!more || w.depth <= at.depth || !is_container(tag))
			continue;
		at.parent = open;
		*arena_push(u->d->arena, u->container, u->containers, u->containers_cap) =
		        at;
		open = (uint32_t)u->containers;
	}
}

/*
 * Returns the innermost container that encloses an entry of u, or NULL if only the unit encloses
 * the entry.
 */
static struct container *container_of(struct unit *u, const Dwarf_Die *die)
{
	uint64_t entry = entry_of(u, die);
	size_t low = 0, high;

	if (!u->contained)
		read_containers(u);
	for (high = u->containers; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (u->container[mid].entry < entry)
			low = mid + 1;
		else
			high = mid;
	}
	while (low && u->container[low - 1].end <= entry)
		low = u->container[low - 1].parent;
	return low ? &u->container[low - 1] : NULL;
}

/* Returns the unit of an entry, or NULL if the unit is not in the files of u. */
static struct unit *unit_of(struct unit *u, Dwarf_Die *die)
{
	const struct dwarf *alt = u->d->alt, *file = u->file;
	uint64_t off = dwarf_dieoffset(die);
	size_t low = 0, high;

	if (die->cu == u->root.cu)
		return u;
	if (alt && dwarf_cu_getdwarf(die->cu) == alt->dbg)
		file = alt;
	for (high = file->units; low < high;) {
		size_t mid = low + (high - low) / 2;

		if (file->unit[mid].off <= off)
			low = mid + 1;
		else
			high = mid;
	}
	return low && file->unit[low - 1].root.cu == die->cu ? &file->unit[low - 1]
	                                                     : NULL;
}

/* State while a name is made, with temporary memory. */
struct naming {
	struct unit *u; /* the unit that contains the code */
	struct arena a;
	unsigned nested;
};

/* An unknown text.  Its p is NULL, unlike p of an empty text. */
static const struct str unknown;

static struct str scope_of(struct naming *n, Dwarf_Die *die, bool is_function);

/*
 * Returns the name of an entry.  Follows references to other entries of the same function or
 * class, and sets *die to the last entry.
 */
static struct str name_of(const struct unit *u, Dwarf_Die *die)
{
	struct str name = { 0 };

	for (int i = 0; i < MAX_CHAIN; i++) {
		struct name_attrs at = { 0 };
		Dwarf_Die next;

		if (dwarf_getattrs(die, take_name, &at, 0) < 0)
			break;
		if (!name.n)
			name = dwarf_unit_string(&at.name);
		if (!refer(u, &at.origin, &next))
			break;
		*die = next;
	}
	return name;
}

static struct str join(struct naming *n, struct str a, struct str b)
{
	if (!a.p || !b.p || a.n + b.n > SCOPED_MAX_BYTES)
		return unknown;
	return arena_fmt(&n->a, PRSTR PRSTR, STRARG(a), STRARG(b));
}

/* Returns the name of a type with its scope, or "..." if it has no name. */
static struct str named_type(struct naming *n, Dwarf_Die *type)
{
	struct str name = name_of(n->u, type);

	name = name.n ? join(n, scope_of(n, type, false), name) : unknown;
	return name.p ? name : STR("...");
}

/*
 * Returns the type of a parameter in gcc's spelling.  Returns "..." for unsupported types, such
 * as arrays and functions.
 */
static struct str parameter_type(struct naming *n, Dwarf_Die *parameter)
{
	struct str suffix = STR("");
	const char *pointer, *constant = "";
	Dwarf_Die die = *parameter;
	Dwarf_Attribute at;

	for (int i = 0; i < MAX_CHAIN; i++) {
		if (!dwarf_attr(&die, DW_AT_type, &at))
			return arena_fmt(&n->a, "%s%svoid" PRSTR, constant,
			                 *constant ? " " : "", STRARG(suffix));
		if (!refer(n->u, &at, &die))
			break;
		pointer = NULL;
		switch (dwarf_tag(&die)) {
		case DW_TAG_const_type:
			/* omit a top-level const, which is not part of a function's type */
			constant = i ? "const" : "";
			continue;
		case DW_TAG_pointer_type:
			pointer = "*";
			break;
		case DW_TAG_reference_type:
			pointer = "&";
			break;
		case DW_TAG_rvalue_reference_type:
			pointer = "&&";
			break;
		case DW_TAG_base_type:
		case DW_TAG_typedef:
		case DW_TAG_enumeration_type:
		case DW_TAG_unspecified_type:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			return arena_fmt(&n->a, "%s%s" PRSTR PRSTR, constant,
			                 *constant ? " " : "",
			                 STRARG(named_type(n, &die)), STRARG(suffix));
		default:
			return STR("...");
		}
		suffix = arena_fmt(&n->a, "%s%s%s" PRSTR, pointer, *constant ? " " : "",
		                   constant, STRARG(suffix));
		constant = "";
	}
	return STR("...");
}

/*
 * Makes "<lambda(int, char)>" from a lambda's function.  If `generic` is set, writes "auto" for
 * each parameter.
 */
static struct str lambda_name(struct naming *n, Dwarf_Die *function, bool generic)
{
	struct str text = STR("<lambda(");
	Dwarf_Die die;
	int count = 0;

	for (int r = dwarf_child(function, &die); !r && text.p && count < MAX_PARAMETERS;
	     r = dwarf_siblingof(&die, &die)) {
		Dwarf_Attribute at;

		if (dwarf_tag(&die) != DW_TAG_formal_parameter ||
		    dwarf_attr(&die, DW_AT_artificial, &at))
			continue;
		text = join(n, text, count++ ? STR(", ") : STR(""));
		text = join(n, text, generic ? STR("auto") : parameter_type(n, &die));
	}
	return join(n, text, STR(")>"));
}

/* Returns the name that gcc gives to a class without a name. */
static struct str unnamed_class(struct naming *n, Dwarf_Die *class)
{
	int tag = dwarf_tag(class), r;
	Dwarf_Die die;

	for (r = dwarf_child(class, &die); !r; r = dwarf_siblingof(&die, &die)) {
		Dwarf_Die function = die;
		struct str name;

		if (dwarf_tag(&die) != DW_TAG_subprogram)
			continue;
		name = name_of(n->u, &function);
		if (str_starts(name, STR("operator()")))
			return lambda_name(n, &die, name.n > STR("operator()").n);
	}
	return tag == DW_TAG_structure_type ? STR("<unnamed struct>")
	       : tag == DW_TAG_union_type   ? STR("<unnamed union>")
	                                    : STR("<unnamed class>");
}

/* Returns the name of container c in unit v, with its scope.  The name is made on first use. */
static struct str container_name(struct naming *n, struct unit *v, struct container *c,
                                 Dwarf_Die *die)
{
	bool is_function = dwarf_tag(die) == DW_TAG_subprogram;
	Dwarf_Die last = *die;
	struct str name;

	if (c->asked)
		return c->name;
	c->asked = true;
	name = name_of(n->u, &last);
	if (!name.n && dwarf_tag(die) == DW_TAG_namespace)
		name = STR("(anonymous namespace)");
	else if (!name.n && !is_function &&
	         dwarf_unit_may(n->u->d,
	                        (c->end < v->size ? c->end : v->size) - c->entry))
		name = unnamed_class(n, die);
	if (!name.n || n->nested == MAX_NESTED)
		return unknown;
	n->nested++;
	name = join(n, scope_of(n, &last, is_function), name);
	n->nested--;
	if (name.p)
		c->name = arena_str(v->d->arena, name);
	return c->name;
}

/* Returns the names of the scopes that enclose an entry.  "::" follows each name. */
static struct str scope_of(struct naming *n, Dwarf_Die *die, bool is_function)
{
	struct unit *v = unit_of(n->u, die);
	struct container *c = v ? container_of(v, die) : NULL;
	Dwarf_Die around;

	if (!c)
		return v ? STR("") : unknown;
	around = (Dwarf_Die){ .addr = (char *)v->root.addr + c->entry, .cu = v->root.cu };
	/* A function that is declared inside another function has no scope in its name. */
	if (is_function && dwarf_tag(&around) == DW_TAG_subprogram)
		return STR("");
	return join(n, container_name(n, v, c, &around), STR("::"));
}

/*
 * Integer types in the spelling that gcc uses in template arguments, and in the spelling of
 * demanglers.
 */
static const struct {
	const char *gcc, *common;
} integers[] = {
	{ "long long unsigned int", "unsigned long long" },
	{ "long unsigned int", "unsigned long" },
	{ "short unsigned int", "unsigned short" },
	{ "long long int", "long long" },
	{ "long int", "long" },
	{ "short int", "short" },
};

enum { INTEGERS = sizeof(integers) / sizeof(*integers) };

static bool is_word(char c)
{
	return str_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns true if s begins with `words`, and if no letter follows them. */
static bool begins_with(struct str s, struct str words)
{
	return str_starts(s, words) && (s.n == words.n || !is_word(s.p[words.n]));
}

/*
 * Replaces the spelling of integer types in n bytes at p by the spelling of demanglers.  Returns
 * the new length.
 */
static size_t respell_integers(char *p, size_t n)
{
	size_t to = 0, i;

	for (size_t at = 0; at < n;) {
		bool inside = at && is_word(p[at - 1]);
		struct str rest = { p + at, n - at }, common;

		for (i = 0; i < INTEGERS; i++)
			if (!inside && begins_with(rest, str_of(integers[i].gcc)))
				break;
		if (i == INTEGERS) {
			p[to++] = p[at++];
			continue;
		}
		common = str_of(integers[i].common);
		memcpy(p + to, common.p, common.n);
		to += common.n;
		at += strlen(integers[i].gcc);
	}
	return to;
}

/*
 * Returns `name` with the scope of `die` in gdb's spelling.  Returns an empty string if the scope
 * is empty.
 */
static struct str with_scope(struct unit *u, struct str name, Dwarf_Die *die)
{
	struct naming n = { .u = u };
	struct str scope, scoped = { 0 };

	if (!name.n || !is_scoped(language_of(&u->root)))
		return scoped;
	scope = scope_of(&n, die, true);
	if (scope.n + name.n <= SCOPED_MAX_BYTES) {
		char *text = arena_alloc(&n.a, scope.n + name.n, 1);

		memcpy(text, scope.p ? scope.p : "", scope.n);
		memcpy(text + scope.n, name.p, name.n);
		scoped = (struct str){ text, respell_integers(text, scope.n + name.n) };
	}
	scoped = arena_str(u->d->arena, str_eq(scoped, name) ? unknown : scoped);
	arena_release(&n.a);
	return scoped;
}

/*
 * Sets path and line of the declaration.  File numbers refer to the line table of the entry's
 * unit.
 */
static void take_decl(struct unit *u, struct scope *s, Dwarf_Die *die,
                      const struct name_attrs *at)
{
	struct unit *v = at->line && !s->line ? unit_of(u, die) : NULL;
	const struct lines *l = v ? dwarf_lines_read(v) : NULL;

	if (!l)
		return;
	s->path = dwarf_lines_path(l, at->file);
	s->line = s->path.n ? (uint32_t)at->line : 0;
}

void dwarf_names_read(struct unit *u, struct scope *s)
{
	Dwarf_Die die = { .addr = (char *)u->root.addr + s->entry, .cu = u->root.cu };
	struct str name = { 0 };

	if (s->named)
		return;
	s->named = s->plain = true;
	for (int i = 0; i < MAX_CHAIN; i++) {
		struct name_attrs at = { 0 };
		Dwarf_Die next;

		if (dwarf_getattrs(&die, take_name, &at, 0) < 0)
			break;
		take_decl(u, s, &die, &at);
		s->name = dwarf_unit_string(&at.linkage);
		s->plain &= !s->name.n;
		if (s->name.n)
			return;
		if (!name.n) {
			name = dwarf_unit_string(&at.name);
			s->plain = !is_unmangled(language_of(&die));
		}
		if (!refer(u, &at.origin, &next))
			break;
		die = next;
	}
	s->name = name;
	s->scoped = with_scope(u, name, &die);
}
