/*
 * Entries: DWARF 5, 7.5.2 and 7.5.3.  readelf --debug-dump=abbrev:
 *
 *	   14      DW_TAG_inlined_subroutine    [has children]
 *	    DW_AT_abstract_origin DW_FORM_ref4
 *	    DW_AT_entry_pc     DW_FORM_addr
 *	    DW_AT_ranges       DW_FORM_sec_offset
 *	    DW_AT_call_file    DW_FORM_implicit_const: 1
 */
#include "image/dwarf/dwarfdata.h"

/* Bytes of a value; 0: that varies, or none are needed and *none is set. */
static uint32_t size_of(const struct unit *u, unsigned form, bool *none)
{
	struct form value;
	struct cursor c = cur_over(STR("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), false);
	size_t before = cur_left(&c);

	switch (form) {
	case DW_FORM_string:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_block:
	case DW_FORM_exprloc:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
	case DW_FORM_indirect:
		return 0;
	case DW_FORM_data16:
		return 16;
	default:
		if (!dwarf_form(&c, u, form, 0, &value))
			return 0;
		*none = cur_left(&c) == before;
		return (uint32_t)(before - cur_left(&c));
	}
}

/* What a form takes in this unit; forms come again and again in a table. */
struct sizes {
	struct form_size {
		bool known, none;
		uint8_t bytes;
	} of[DW_FORM_addrx4 + 1];
};

static uint32_t known_size(const struct unit *u, struct sizes *known, uint64_t form,
                           bool *none)
{
	struct form_size *s;

	*none = false;
	if (form > DW_FORM_addrx4)
		return size_of(u, (unsigned)form, none);
	s = &known->of[form];
	if (!s->known) {
		s->known = true;
		s->bytes = (uint8_t)size_of(u, (unsigned)form, &s->none);
	}
	*none = s->none;
	return s->bytes;
}

static bool read_specs(struct unit *u, struct cursor *c, struct sizes *known,
                       struct abbrevs *to, struct abbrev *ab)
{
	struct arena *a = u->d->arena;
	bool varies = false;

	ab->spec = (uint32_t)to->nspecs;
	for (;;) {
		uint64_t name = cur_uleb(c), form = cur_uleb(c);
		bool none;
		uint32_t size;
		int64_t value = form == DW_FORM_implicit_const ? cur_sleb(c) : 0;

		if (c->bad || name > UINT16_MAX || form > UINT16_MAX ||
		    ab->nspecs == MAX_ATTRS)
			return false;
		if (!name && !form)
			break;
		to->spec = arena_grow(a, to->spec, &to->specs_cap, to->nspecs + 1,
		                      sizeof(*to->spec));
		to->spec[to->nspecs++] =
		        (struct attr_spec){ (uint16_t)name, (uint16_t)form, value };
		ab->nspecs++;
		size = known_size(u, known, form, &none);
		varies |= !size && !none;
		ab->size += size;
	}
	if (varies)
		ab->size = 0;
	return true;
}

static void read_abbrevs(struct unit *u, struct abbrevs *to)
{
	struct cursor c = dwarf_at(u->d, DW_ABBREV, u->abbrev_off);
	struct sizes known = { 0 };
	const char *begin = c.p;
	uint64_t code;

	while ((code = cur_uleb(&c)) && !c.bad) {
		struct abbrev ab = { .code = code };
		uint64_t tag = cur_uleb(&c);

		ab.tag = tag > UINT16_MAX ? 0 : (uint16_t)tag;
		ab.children = cur_u8(&c) != 0;
		if (!read_specs(u, &c, &known, to, &ab))
			break;
		to->at = arena_grow(u->d->arena, to->at, &to->cap, to->n + 1,
		                    sizeof(*to->at));
		to->at[to->n++] = ab;
		if (code != to->n)
			*table_at(&to->odd, u->d->arena, code, 0) = (uint32_t)to->n;
		if (!dwarf_may(u->d, (uint64_t)(c.p - begin)))
			break;
		begin = c.p;
	}
}

/* Read where there is room, and kept in what it takes: a library has thousands. */
static struct abbrevs *keep_abbrevs(struct unit *u)
{
	struct dwarf *d = u->d;
	struct abbrevs *in = &d->reading, *out = arena_new(d->arena, struct abbrevs, 1);

	in->n = in->nspecs = 0;
	in->odd = (struct table){ 0 };
	read_abbrevs(u, in);
	out->n = in->n;
	out->nspecs = in->nspecs;
	out->odd = in->odd;
	out->at = arena_new(d->arena, struct abbrev, in->n);
	out->spec = arena_new(d->arena, struct attr_spec, in->nspecs);
	if (in->n)
		memcpy(out->at, in->at, in->n * sizeof(*in->at));
	if (in->nspecs)
		memcpy(out->spec, in->spec, in->nspecs * sizeof(*in->spec));
	return out;
}

bool dwarf_load_abbrevs(struct unit *u)
{
	struct dwarf *d = u->d;
	uint64_t format =
	        (uint64_t)u->version << 16 | (uint64_t)u->addr_size << 8 | u->off_size;
	uint32_t *at;

	if (u->abbrevs)
		return true;
	if (u->abbrev_off >= d->section[DW_ABBREV].n)
		return false;
	at = table_at(&d->abbrevs_of, d->arena, u->abbrev_off, format);
	if (!*at) {
		struct abbrevs *new = keep_abbrevs(u);

		d->abbrevs = arena_grow(d->arena, d->abbrevs, &d->abbrevs_cap,
		                        d->nabbrevs + 1, sizeof(*d->abbrevs));
		d->abbrevs[d->nabbrevs++] = new;
		*at = (uint32_t)d->nabbrevs;
	}
	u->abbrevs = d->abbrevs[*at - 1];
	return true;
}

const struct abbrev *dwarf_entry(struct unit *u, struct cursor *c)
{
	const struct abbrevs *all = u->abbrevs;
	uint64_t code = cur_uleb(c);
	uint32_t odd;

	if (!code || c->bad)
		return NULL;
	if (code <= all->n && all->at[code - 1].code == code)
		return &all->at[code - 1];
	odd = table_get(&all->odd, code, 0);
	if (!odd)
		c->bad = true;
	return odd ? &all->at[odd - 1] : NULL;
}

static struct form *place_for(struct attrs *at, unsigned name)
{
	switch (name) {
	case DW_AT_low_pc:
		return &at->low;
	case DW_AT_high_pc:
		return &at->high;
	case DW_AT_ranges:
		return &at->ranges;
	case DW_AT_name:
		return &at->name;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		return &at->linkage;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		return &at->origin;
	case DW_AT_sibling:
		return &at->sibling;
	case DW_AT_call_file:
		return &at->call_file;
	case DW_AT_call_line:
		return &at->call_line;
	case DW_AT_stmt_list:
		return &at->stmt_list;
	case DW_AT_str_offsets_base:
		return &at->str_base;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		return &at->addr_base;
	case DW_AT_rnglists_base:
		return &at->rnglists_base;
	case DW_AT_GNU_ranges_base:
		return &at->ranges_base;
	case DW_AT_comp_dir:
		return &at->comp_dir;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
		return &at->dwo_name;
	case DW_AT_GNU_dwo_id:
		return &at->dwo_id;
	case DW_AT_language:
		return &at->language;
	default:
		return NULL;
	}
}

void dwarf_attrs(struct unit *u, struct cursor *c, const struct abbrev *ab,
                 struct attrs *out)
{
	*out = (struct attrs){ 0 };
	for (uint32_t i = 0; i < ab->nspecs; i++) {
		const struct attr_spec *spec = &u->abbrevs->spec[ab->spec + i];
		struct form *to = place_for(out, spec->name), unused;

		if (!dwarf_form(c, u, spec->form, spec->value, to ? to : &unused))
			return;
	}
}

/* To the entry behind all that are below this one; false: that is not said. */
static bool jump(struct unit *u, struct cursor *c, const struct form *sibling)
{
	const char *begin = u->d->section[DW_INFO].p;
	uint64_t here = (uint64_t)(c->p - begin) - u->off;

	if (sibling->form == DW_FORM_ref_addr || sibling->u <= here ||
	    sibling->u >= u->end - u->off)
		return false;
	c->p = begin + u->off + sibling->u;
	return true;
}

bool dwarf_skip(struct unit *u, struct cursor *c, const struct abbrev *ab)
{
	if (ab->size && !ab->children) {
		cur_take(c, ab->size);
		return true;
	}
	for (uint32_t i = 0; i < ab->nspecs; i++) {
		const struct attr_spec *spec = &u->abbrevs->spec[ab->spec + i];
		struct form value;

		if (!dwarf_form(c, u, spec->form, spec->value, &value))
			return false;
		if (ab->children && spec->name == DW_AT_sibling && jump(u, c, &value))
			return true;
	}
	return !ab->children;
}

/* The entry that another refers to, and its unit; NULL: not here. */
static struct unit *referred(struct unit *u, const struct form *f, uint64_t *entry)
{
	switch (f->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		*entry = u->off + f->u;
		return f->u < u->end - u->off ? u : NULL;
	case DW_FORM_ref_addr:
		*entry = f->u;
		return dwarf_unit_of(u->d, f->u);
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		*entry = f->u;
		return u->d->alt ? dwarf_unit_of(u->d->alt, f->u) : NULL;
	default:
		return NULL;
	}
}

/* Linkers call a function as the source does. */
static bool is_unmangled(unsigned language)
{
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

/* The linker's name of a function wherever it is said, else the nearest in the source. */
struct str dwarf_name_of(struct unit *u, uint64_t entry, bool *plain)
{
	struct str name = { 0 };

	*plain = true;
	for (int i = 0; u && i < MAX_CHAIN; i++) {
		const struct abbrev *ab;
		struct attrs at;
		struct cursor c;

		if (entry < u->root || entry >= u->end || !dwarf_root(u))
			break;
		c = dwarf_at(u->d, DW_INFO, entry);
		ab = dwarf_entry(u, &c);
		if (!ab)
			break;
		dwarf_attrs(u, &c, ab, &at);
		if (at.linkage.form) {
			struct str linkage = dwarf_string(u, &at.linkage);

			if (linkage.n) {
				*plain = false;
				return linkage;
			}
		}
		if (!name.n) {
			name = dwarf_string(u, &at.name);
			*plain = !is_unmangled(u->language);
		}
		u = referred(u, &at.origin, &entry);
	}
	return name;
}
