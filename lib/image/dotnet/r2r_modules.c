/*
 * Numbers of modules in signatures: 0 is the image.  The next numbers are the image's AssemblyRef
 * rows.  Since version 6.3 of the format, one number for the manifest itself follows.  The last
 * numbers are the manifest's AssemblyRef rows.  A composite image has no AssemblyRef rows of its
 * own, and its component k is row k + 1 of the manifest.
 */
#include "image/dotnet/r2r_modules.h"

enum {
	FORWARDS = 8, /* maximum number of facades that forward a type */
	SCOPE_MODULE = 0,
	SCOPE_MODULEREF,
	SCOPE_ASSEMBLYREF,
	SCOPE_TYPEREF,
	CODED_TYPEDEF = 0,
	CODED_TYPEREF,
	BY_ASSEMBLYREF = 1, /* tag in Implementation that selects AssemblyRef */
};

static void add_refs(struct r2r *r, const struct metadata *md, struct str mvids)
{
	static const unsigned char unknown[16];

	for (uint32_t row = 1; md && row <= md->table[MD_ASSEMBLYREF].n; row++) {
		struct r2r_slot *s = &r->slot[r->nslots++];
		struct str id = str_head(str_from(mvids, (row - 1) * (size_t)16), 16);

		s->module.name =
		        metadata_string(md, MD_ASSEMBLYREF, row, ASSEMBLYREF_NAME);
		if (id.n == 16 && memcmp(id.p, unknown, 16) != 0)
			s->mvid = (const unsigned char *)id.p;
	}
}

void r2r_modules_open(struct r2r *r, struct str mvids)
{
	const struct str none = { 0 };
	size_t n = 2 + r->own_refs;

	if (r->manifest)
		n += r->manifest->table[MD_ASSEMBLYREF].n;
	r->slot = arena_new(r->arena, struct r2r_slot, n);
	r->slot[0].module.name = r->own ? r->own->name : r->file;
	r->slot[0].module.md = r->own;
	r->slot[0].looked = true;
	r->nslots = 1;
	add_refs(r, r->own, none);
	if (r->manifest_has_slot) {
		r->slot[r->nslots].module.name = r->slot[0].module.name;
		r->slot[r->nslots].module.md = r->manifest;
		r->slot[r->nslots++].looked = true;
	}
	add_refs(r, r->manifest, mvids);
}

static struct metadata *find(struct r2r *r, struct str name, const unsigned char *mvid)
{
	struct metadata *md;

	if (r->own && str_eq(name, r->own->name))
		return r->own;
	md = r->find && name.n ? r->find(r->ctx, name, mvid) : NULL;
	if (md && mvid && (!md->mvid || memcmp(md->mvid, mvid, 16) != 0))
		return NULL;
	return md;
}

bool r2r_modules_get(struct r2r *r, uint32_t slot, struct clr_module *out)
{
	struct r2r_slot *s;

	if (slot >= r->nslots)
		return false;
	s = &r->slot[slot];
	if (!s->looked)
		s->module.md = find(r, s->module.name, s->mvid);
	s->looked = true;
	*out = s->module;
	return true;
}

static struct clr_module named(struct r2r *r, struct str name)
{
	return (struct clr_module){ name, find(r, name, NULL) };
}

struct clr_module r2r_modules_core(struct r2r *r)
{
	return named(r, STR("System.Private.CoreLib"));
}

/*
 * Parses "#:3", which refers to module 3 in a manifest.  Returns false for other names, because
 * they are names of assemblies.
 */
static bool is_number(struct str name, uint32_t *slot)
{
	uint64_t n;

	if (!str_starts(name, STR("#:")) || !str_is_dec(str_from(name, 2), &n) ||
	    n > UINT32_MAX)
		return false;
	*slot = (uint32_t)n;
	return true;
}

static struct clr_module scope_module(struct r2r *r, struct clr_module from,
                                      uint32_t scope)
{
	struct clr_module m = { 0 };
	struct str name;
	uint32_t slot;

	switch (scope & 3) {
	case SCOPE_MODULE:
		return from;
	case SCOPE_MODULEREF:
		name = metadata_string(from.md, MD_MODULEREF, scope >> 2, MODULEREF_NAME);
		if (!is_number(name, &slot))
			return named(r, name);
		r2r_modules_get(r, slot, &m);
		return m;
	default:
		name = metadata_string(from.md, MD_ASSEMBLYREF, scope >> 2,
		                       ASSEMBLYREF_NAME);
		return named(r, name);
	}
}

struct str r2r_modules_ref_name(struct r2r *r, const struct metadata *md, uint32_t scope)
{
	struct clr_module m = { 0 };
	struct str name = { 0 };
	uint32_t slot;

	if ((scope & 3) == SCOPE_ASSEMBLYREF)
		return metadata_string(md, MD_ASSEMBLYREF, scope >> 2, ASSEMBLYREF_NAME);
	if ((scope & 3) == SCOPE_MODULEREF)
		name = metadata_string(md, MD_MODULEREF, scope >> 2, MODULEREF_NAME);
	if (!is_number(name, &slot))
		return name;
	return r2r_modules_get(r, slot, &m) ? m.name : name;
}

/* Finds a type that is not nested.  Follows the facades that forward the type. */
static struct clr_type look_up(struct r2r *r, struct clr_module in, struct str ns,
                               struct str name)
{
	for (int i = 0; i < FORWARDS && in.md; i++) {
		uint32_t row = metadata_find_type(in.md, ns, name, 0), by;

		if (row)
			return (struct clr_type){ in, row };
		row = metadata_find_export(in.md, ns, name);
		by = metadata_cell(in.md, MD_EXPORTEDTYPE, row, EXPORTED_BY);
		if (!row || (by & 3) != BY_ASSEMBLYREF)
			break;
		in = named(r, metadata_string(in.md, MD_ASSEMBLYREF, by >> 2,
		                              ASSEMBLYREF_NAME));
	}
	return (struct clr_type){ in, 0 };
}

struct clr_type r2r_modules_resolve(struct r2r *r, struct clr_module from, uint32_t coded)
{
	uint32_t row = coded >> 2, scope, chain[MD_DEPTH];
	struct clr_type t = { from, 0 };
	const struct metadata *md = from.md;
	size_t n = 0;

	if (!md || (coded & 3) == CODED_TYPEDEF) {
		t.row = md && row <= md->table[MD_TYPEDEF].n ? row : 0;
		return t;
	}
	if ((coded & 3) != CODED_TYPEREF)
		return t;
	for (;;) {
		if (n == MD_DEPTH)
			return t;
		chain[n++] = row;
		scope = metadata_cell(md, MD_TYPEREF, row, TYPEREF_SCOPE);
		if ((scope & 3) != SCOPE_TYPEREF)
			break;
		row = scope >> 2;
	}
	t.in = scope_module(r, from, scope);
	for (size_t i = n; i-- > 0;) {
		struct str ns = metadata_string(md, MD_TYPEREF, chain[i], TYPE_NAMESPACE);
		struct str name = metadata_string(md, MD_TYPEREF, chain[i], TYPE_NAME);

		if (i == n - 1)
			t = look_up(r, t.in, ns, name);
		else if (t.row)
			t.row = metadata_find_type(t.in.md, ns, name, t.row);
	}
	return t;
}
