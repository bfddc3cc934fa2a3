#include "image/find_pdb.h"

#include "image/dotnet/streams.h"
#include "image/host.h"
#include "source/decompress.h"

struct str find_pdb_name(struct str path)
{
	size_t back = str_rfind(path, '\\');

	return str_base(back < path.n ? str_from(path, back + 1) : path);
}

static bool has_id(const struct ppdb *p, struct str id)
{
	return p && id.n && id.n <= PPDB_ID && !memcmp(p->id, id.p, id.n);
}

static struct ppdb *find_named(struct locator *l, struct str name, struct str id)
{
	struct item *it = locate_base(l, name);

	while (it && !(it->kind == ITEM_PDB && has_id(locate_pdb(l, it), id)))
		it = locate_next(l, it);
	if (it)
		it->placed = true;
	return it ? it->pdb : NULL;
}

static struct ppdb *read_embedded(struct locator *l, struct item *it, struct str id)
{
	const struct pe *pe = locate_pe(l, it);
	struct str bytes;

	if (!pe || !pe->pdb_packed.n || memcmp(pe->pdb_id, id.p, id.n) != 0)
		return NULL;
	if (!it->pdb) {
		bytes = decompress_deflate(pe->pdb_packed, pe->pdb_size, true, l->run);
		it->pdb = arena_new(l->run, struct ppdb, 1);
		if (!ppdb_read(it->pdb, bytes))
			*it->pdb = (struct ppdb){ .id = pe->pdb_id };
	}
	return it->pdb;
}

/*
 * Finds a PDB that is embedded in the assembly.  If w->assembly is NULL, searches all
 * assemblies with the file name of w->image.
 */
static struct ppdb *find_embedded(struct locator *l, const struct wanted_pdb *w)
{
	struct item *it =
	        w->assembly ? w->assembly : locate_base(l, find_pdb_name(w->image));
	struct ppdb *p = NULL;

	while (it && !p) {
		if (it->kind == ITEM_PE)
			p = read_embedded(l, it, w->id);
		it = w->assembly ? NULL : locate_next(l, it);
	}
	return p;
}

static enum source_look only_pdb(struct str name, struct str head)
{
	(void)name;
	return streams_bid(head) ? LOOK_WHOLE : LOOK_NOTHING;
}

/*
 * Searches for the PDB in the recorded directory of the assembly on this machine.  Returns NULL
 * if files of this machine must not be used.  Ignores a PDB with a different id.
 */
static struct ppdb *find_here(struct locator *l, const struct wanted_pdb *w,
                              struct str name)
{
	struct str dir = str_dir(w->image), path;
	struct item *it;

	if (l->host == HOST_NEVER || !str_starts(w->image, STR("/")))
		return NULL;
	path = arena_fmt(l->run, PRSTR PRSTR, STRARG(dir), STRARG(name));
	it = host_add(l, path, NULL, only_pdb);
	if (!it || !has_id(locate_pdb(l, it), w->id))
		return NULL;
	it->placed = true;
	return it->pdb;
}

/* "shop.dll" -> "shop.pdb" */
static struct str name_beside(struct str image, struct arena *a)
{
	struct str name = find_pdb_name(image);

	name.n = str_rfind(name, '.');
	return arena_fmt(a, PRSTR ".pdb", STRARG(name));
}

struct ppdb *find_pdb(struct locator *l, const struct wanted_pdb *w)
{
	struct str names[] = { find_pdb_name(w->pdb), name_beside(w->image, l->run) };
	struct ppdb *p = NULL;

	if (!w->id.n || w->id.n > PPDB_ID)
		return NULL;
	for (int i = 0; i < 2 && !p; i++)
		p = find_named(l, names[i], w->id);
	if (!p)
		p = find_embedded(l, w);
	for (int i = 0; i < 2 && !p; i++)
		p = find_here(l, w, names[i]);
	return p;
}
