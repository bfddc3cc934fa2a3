#include "image/dotnet/assembly.h"

enum { FILE_NAME = 512 };

struct bundle *assembly_bundle(struct locator *l, struct item *it)
{
	struct str bytes;
	struct bundle *b;

	if (it->bundle_read || it->host || !(it->program || it->kind == ITEM_PE))
		return it->bundle;
	it->bundle_read = true;
	bytes = source_map(it->source, it->member);
	b = arena_new(l->run, struct bundle, 1);
	if (!bytes.p || !bundle_read(b, bytes, l->run))
		return NULL;
	it->bundle = b;
	it->carried = arena_new(l->run, struct item *, b->n);
	return b;
}

struct item *assembly_carried(struct locator *l, struct item *host, size_t entry)
{
	const struct bundle_entry *e = &host->bundle->entry[entry];
	struct item *it = host->carried[entry];

	if (e->kind != BUNDLE_ASSEMBLY)
		return NULL;
	if (!it) {
		it = arena_new(l->run, struct item, 1);
		*it = (struct item){ .kind = ITEM_PE,
			             .name = e->path,
			             .source = host->source,
			             .member = host->member,
			             .own = host->own,
			             .host = host,
			             .entry = entry };
		host->carried[entry] = it;
	}
	return it;
}

static struct metadata *read_tables(struct locator *l, struct item *it)
{
	const struct pe *pe = locate_pe(l, it);
	struct metadata *md;

	if (!pe || it->tables_read)
		return it->tables;
	it->tables_read = true;
	md = arena_new(l->run, struct metadata, 1);
	if (metadata_read(md, pe_bytes(pe, pe->metadata.rva, pe->metadata.size), l->run))
		it->tables = md;
	return it->tables;
}

/* The image that contains a reference. */
struct referrer {
	struct locator *l;
	struct item *item;
};

static bool is_that(struct locator *l, struct item *it, const unsigned char *mvid)
{
	const struct metadata *md = read_tables(l, it);

	return md && (!mvid || (md->mvid && !memcmp(md->mvid, mvid, MVID_BYTES)));
}

/*
 * Rates how likely the item is the assembly that ran with the referrer.  Returns 0 if the item
 * cannot be this assembly.
 */
static int suits(const struct referrer *ref, struct item *it, const unsigned char *mvid)
{
	if (it->kind != ITEM_PE)
		return 0;
	if (mvid)
		return is_that(ref->l, it, mvid) ? 4 : 0;
	if ((it->source == ref->item->source || (it->local && ref->item->local)) &&
	    str_eq(str_dir(it->name), str_dir(ref->item->name)))
		return 3;
	return it->placed ? 2 : 1;
}

static struct item *find_carried(const struct referrer *ref, struct str file)
{
	struct item *host = ref->item->host;
	const struct bundle_entry *e = host ? bundle_find(host->bundle, file) : NULL;

	return e ? assembly_carried(ref->l, host, (size_t)(e - host->bundle->entry))
	         : NULL;
}

static struct item *find_listed(const struct referrer *ref, struct str file,
                                const unsigned char *mvid)
{
	struct item *it = locate_base(ref->l, file), *best = NULL;
	int most = 0;

	for (; it; it = locate_next(ref->l, it)) {
		int how = suits(ref, it, mvid);

		if (how > most) {
			most = how;
			best = it;
		}
	}
	return best;
}

static struct item *open_beside(struct locator *l, struct str folder, struct str file)
{
	struct source_opts opts = {
		.look = locate_look, .plain = true, .run = l->run, .diag = &l->silent
	};
	struct source *s = source_open(
	        arena_fmt(l->run, PRSTR PRSTR, STRARG(folder), STRARG(file)).p, &opts);
	struct item *it;

	if (!s)
		return NULL;
	*arena_push(l->run, l->opened, l->nopened, l->opened_cap) = s;
	if (s->kind != SOURCE_FILE || locate_kind(source_head(s, 0)) != ITEM_PE)
		return NULL;
	it = arena_new(l->run, struct item, 1);
	*it = (struct item){ .kind = ITEM_PE, .name = s->members[0].name, .source = s };
	return it;
}

/*
 * Searches the directory of the referring image for `file`.  The command line must name the image.
 * If the image is a file of this machine instead, mvid must be set, because only an MVID can prove
 * that the assembly ran.
 */
static struct item *find_beside(const struct referrer *ref, struct str file,
                                const unsigned char *mvid)
{
	struct locator *l = ref->l;
	const struct source *s = ref->item->source;
	uint32_t *at;

	if (!(ref->item->local ? mvid != NULL : l->beside) || !s ||
	    s->kind != SOURCE_FILE || str_find(file, '/') < file.n)
		return NULL;
	at = table_at(&l->beside_of, l->run, (uintptr_t)s, intern(l->names, file));
	return *table_item(at, l->run, l->neighbour, l->nneighbours, l->neighbours_cap,
	                   open_beside(l, str_dir(s->name), file));
}

static struct metadata *find_assembly(void *ctx, struct str name,
                                      const unsigned char *mvid)
{
	const struct referrer *ref = ctx;
	char p[FILE_NAME];
	struct str file = { p, name.n + 4 };
	struct item *it;

	if (file.n > sizeof(p))
		return NULL;
	memcpy(p, name.p, name.n);
	memcpy(p + name.n, ".dll", 4);
	it = find_carried(ref, file);
	if (!it || !is_that(ref->l, it, mvid))
		it = find_listed(ref, file, mvid);
	if (!it)
		it = find_beside(ref, file, mvid);
	return it && is_that(ref->l, it, mvid) ? read_tables(ref->l, it) : NULL;
}

struct r2r *assembly_code(struct locator *l, struct item *it)
{
	const struct pe *pe = locate_pe(l, it);
	struct referrer *ref;

	if (!pe || it->code_read)
		return it->r2r;
	it->code_read = true;
	ref = arena_new(l->run, struct referrer, 1);
	*ref = (struct referrer){ l, it };
	it->r2r = r2r_open(pe, str_base(it->name), l->run, find_assembly, ref);
	return it->r2r;
}

struct item *assembly_with(struct locator *l, const struct item *image,
                           const struct metadata *md)
{
	const struct bundle *b = image->host ? image->host->bundle : NULL;
	arena_scope(scratch);
	struct item *it =
	        locate_base(l, arena_fmt(&scratch, PRSTR ".dll", STRARG(md->name)));

	while (it && it->tables != md)
		it = locate_next(l, it);
	for (size_t i = 0; b && i < b->n && !it; i++)
		if (image->host->carried[i] && image->host->carried[i]->tables == md)
			it = image->host->carried[i];
	for (size_t i = 0; i < l->nneighbours && !it; i++)
		if (l->neighbour[i] && l->neighbour[i]->tables == md)
			it = l->neighbour[i];
	return it;
}
