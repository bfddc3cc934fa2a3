#include "symbol/report/sources.h"

#include "bind/dotnet/managed_lines.h"
#include "image/source/source_link.h"
#include "symbol/profile_private.h"

enum { SHA1 = 20, SHA256 = 32 /* lengths in bytes */ };

ORDER(by_name, struct missing_pdb,
      str_cmp(a->name, b->name) ?: memcmp(a->guid.p, b->guid.p, PPDB_GUID))

size_t sources_missing_pdbs(const struct profile *p, struct arena *a,
                            const struct missing_pdb **out)
{
	const struct managed_lines *all = bind_pdbs(p->session.binder);
	struct missing_pdb *list = arena_new(a, struct missing_pdb, all->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct wanted_pdb *w = &all->pdb[i].wanted;

		if (!all->pdb[i].pdb && w->pdb.n)
			list[n++] = (struct missing_pdb){ find_pdb_name(w->pdb),
				                          str_head(w->id, PPDB_GUID),
				                          w->image };
	}
	order_by(list, n, by_name);
	*out = list;
	return n;
}

ORDER(by_path, struct linked_source,
      str_cmp(a->path, b->path) ?: str_cmp(a->address, b->address))

static bool has_text(const struct ppdb *p, uint32_t document)
{
	arena_scope(scratch);

	return ppdb_text(p, document, &scratch).n;
}

/*
 * Sets *out to the link of a source file.  Returns false if the PDB embeds the file, or if no
 * server is known.
 */
static bool link_source(const struct managed_pdb *m, uint32_t document, struct arena *a,
                        struct linked_source *out)
{
	*out = (struct linked_source){ .path = m->path[document],
		                       .hash = ppdb_hash(m->pdb, document) };
	if (!out->path.n || (out->hash.n != SHA1 && out->hash.n != SHA256) ||
	    has_text(m->pdb, document))
		return false;
	out->address = source_link_find(ppdb_source_link(m->pdb), out->path, a);
	return out->address.n;
}

size_t sources_linked(const struct profile *p, struct arena *a,
                      const struct linked_source **out)
{
	const struct managed_lines *all = bind_pdbs(p->session.binder);
	struct linked_source *list = NULL, one;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 1; k < all->pdb[i].documents; k++) {
			if (!link_source(&all->pdb[i], (uint32_t)k, a, &one))
				continue;
			*arena_push(a, list, n, cap) = one;
		}
	order_by(list, n, by_path);
	*out = list;
	return n;
}
