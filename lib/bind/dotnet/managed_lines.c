#include "bind/dotnet/managed_lines.h"

#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/dotnet/image_names.h"
#include "bind/sampled.h"
#include "image/dotnet/assembly.h"
#include "image/dotnet/clr_lines.h"
#include "image/dotnet/r2r_lines.h"
#include "image/dotnet/r2r_name.h"

void managed_lines_end(struct managed_lines *t)
{
	arena_release(&t->last.arena);
	arena_release(&t->last_jit.arena);
}

static struct managed_pdb *pdb_of(const struct binder *b, const struct wanted_pdb *w)
{
	struct managed_lines *t = b->managed_lines;
	uint64_t guid[2];
	uint32_t *at;

	memcpy(guid, w->id.p, sizeof(guid));
	at = table_at(&t->of_guid, b->run, guid[0], guid[1]);
	if (!*at) {
		struct managed_pdb m = { .wanted = *w, .pdb = find_pdb(b->locator, w) };

		m.documents = m.pdb ? m.pdb->md.table[MD_DOCUMENT].n + (size_t)1 : 0;
		m.path = arena_new(b->run, struct str, m.documents);
		*arena_push(b->run, t->pdb, t->n, t->cap) = m;
		*at = (uint32_t)t->n;
	}
	return &t->pdb[*at - 1];
}

static bool find_line(const struct binder *b, const struct wanted_pdb *w, uint32_t method,
                      int32_t il, struct dwarf_place *out)
{
	struct managed_pdb *m = w->id.n >= PPDB_GUID ? pdb_of(b, w) : NULL;
	struct ppdb_point point, first;

	/* Code that precedes the first sequence point gets the line of the first point. */
	if (!m || !m->pdb ||
	    !ppdb_find(m->pdb, method, il < 0 ? 0 : (uint32_t)il, &point) ||
	    !ppdb_find(m->pdb, method, 0, &first) || point.document >= m->documents)
		return false;
	if (!m->path[point.document].n)
		m->path[point.document] = ppdb_path(m->pdb, point.document, b->run);
	out->file = out->path = m->path[point.document];
	out->line = point.line;
	out->begins = first.document == point.document ? first.line : 0;
	return out->file.n;
}

/* Returns the code that begins at `start` according to a nettrace, or NULL. */
static const struct clr_code *find_code(const struct binder *b,
                                        const struct bind_query *q, uint64_t start)
{
	const struct bound_map *bm = bound_map_first(b, q->m ? q->m->pid : q->pid);
	const struct clr_code *code = NULL;

	for (; bm && !code; bm = bound_map_next(b, bm))
		if (bm->map && bm->map->lines)
			code = clr_lines_find(bm->map->lines, start,
			                      bm->by_time ? q->time_ns : UINT64_MAX);
	return code;
}

/*
 * Returns the IL map of JIT code.  The last map is kept for the next call, because making a map
 * requires sorting its entries.
 */
static const struct il_map *map_of(struct managed_lines *t, const struct clr_code *code)
{
	if (t->last_jit.code != code) {
		arena_release(&t->last_jit.arena);
		t->last_jit.code = code;
		t->last_jit.map =
		        il_map_of_event(code->il, code->native, &t->last_jit.arena);
	}
	return &t->last_jit.map;
}

static bool find_jit(const struct binder *b, const struct bind_query *q,
                     const struct bound_name *name, struct dwarf_place *out)
{
	const struct clr_code *code = find_code(b, q, q->ip - name->off);
	struct wanted_pdb w;
	int32_t il;

	if (!code || !code->il.n ||
	    !il_map_find(map_of(b->managed_lines, code),
	                 sampled_byte(name->off, q->caller), &il))
		return false;
	w = (struct wanted_pdb){ .image = code->assembly->image,
		                 .pdb = code->assembly->pdb,
		                 .id = code->assembly->guid };
	return find_line(b, &w, code->method, il, out);
}

/*
 * Sets *il to the IL offset of precompiled code.  Returns false if the offset is unknown.
 */
static bool find_il(struct managed_lines *t, const struct image_code *code, int32_t *il)
{
	if (t->last.methods != code->methods || t->last.index != code->index) {
		arena_release(&t->last.arena);
		t->last.methods = code->methods;
		t->last.index = code->index;
		t->last.shift = r2r_lines_offset(code->methods, code->index, code->rva) -
		                code->rva;
		t->last.map = r2r_lines_map(code->methods, code->index, &t->last.arena);
	}
	return il_map_find(&t->last.map, code->rva + t->last.shift, il);
}

static bool find_precompiled(const struct binder *b, const struct bind_query *q,
                             struct dwarf_place *out)
{
	struct r2r_definition method;
	struct image_code code;
	const struct pe *pe;
	struct wanted_pdb w;
	int32_t il;

	if (!image_names_code(b, q->m, q->ip, q->caller, &code) ||
	    !r2r_name_definition(code.methods, code.index, &method))
		return false;
	w.assembly = method.own ? code.image
	                        : assembly_with(b->locator, code.image, method.md);
	pe = w.assembly ? locate_pe(b->locator, w.assembly) : NULL;
	if (!pe || !pe->pdb_path.n)
		return false;
	w.image = w.assembly->name;
	w.pdb = pe->pdb_path;
	w.id = (struct str){ (const char *)pe->pdb_id, sizeof(pe->pdb_id) };
	return find_il(b->managed_lines, &code, &il) &&
	       find_line(b, &w, method.row, il, out);
}

bool managed_lines_find(const struct binder *b, const struct bind_query *q,
                        const struct bound_name *name, struct dwarf_place *out)
{
	*out = (struct dwarf_place){ .func = name->func };
	return find_jit(b, q, name, out) ||
	       (q->m && !mapping_is_jit(q->m) && find_precompiled(b, q, out));
}
