#include "bind/dotnet/match_r2rmaps.h"

#include "bind/binder.h"
#include "bind/dotnet/bound_image.h"
#include "bind/sampled.h"

static struct item *map_called(struct r2rmap_query *q, struct str name)
{
	struct item *it = locate_base(q->l, name);

	for (int tried = 0; it && tried < SAME_NAME; tried++) {
		if (it->kind == ITEM_PERFMAP)
			return it;
		it = locate_next(q->l, it);
	}
	return NULL;
}

/* Finds the map of crossgen.  The file name of the map contains the MVID, written as a GUID. */
static struct item *crossgen_map(struct r2rmap_query *q,
                                 const unsigned char mvid[MVID_BYTES])
{
	char guid[GUID_TEXT + 1];

	perfmap_guid_text(mvid, guid);
	return map_called(
	        q, arena_fmt(q->scratch, PRSTR ".ni.{%s}.map", STRARG(q->stem), guid));
}

/*
 * Returns true if the signature in a map of crossgen2 belongs to pe or to the MVID.  pe or mvid
 * may be NULL.
 */
static bool is_signed_for(const struct perfmap *map, const struct pe *pe,
                          const unsigned char *mvid)
{
	if (!map || !map->has_signature)
		return false;
	if (pe && pe->has_signature &&
	    !memcmp(map->signature, pe->signature, sizeof(map->signature)))
		return true;
	return mvid && perfmap_signed_for(map, mvid);
}

static struct item *crossgen2_map(struct r2rmap_query *q, const struct pe *pe,
                                  const unsigned char *mvid)
{
	static const char *const suffix[] = { ".ni.r2rmap", ".ni.{composite}.map" };

	for (size_t i = 0; i < sizeof(suffix) / sizeof(*suffix); i++) {
		struct str name =
		        arena_fmt(q->scratch, PRSTR "%s", STRARG(q->stem), suffix[i]);
		struct item *it = locate_base(q->l, name);

		for (int tried = 0; it && tried < SAME_NAME; tried++) {
			const struct perfmap *map = locate_perfmap(q->l, it);

			if (is_signed_for(map, pe, mvid))
				return it;
			if (map)
				q->why = "its signature differs from the image";
			it = locate_next(q->l, it);
		}
	}
	return NULL;
}

/*
 * Returns the map of crossgen2 with the MVID, or NULL.  Builds of an assembly for several
 * machines share an MVID.  If maps of several builds exist, returns NULL.
 */
static struct item *map_by_mvid(struct r2rmap_query *q, const unsigned char *mvid)
{
	struct item *it = crossgen2_map(q, NULL, mvid), *other = it;
	const struct perfmap *map = it ? locate_perfmap(q->l, it) : NULL;

	while (map && (other = locate_next(q->l, other))) {
		const struct perfmap *too = locate_perfmap(q->l, other);

		if (!is_signed_for(too, NULL, mvid) ||
		    !memcmp(too->signature, map->signature, sizeof(map->signature)))
			continue;
		q->why = "another one is for another machine";
		return NULL;
	}
	return it;
}

struct item *match_r2rmaps_find_by_image(struct r2rmap_query *q, const struct pe *pe)
{
	const unsigned char *mvid = pe->has_mvid ? pe->mvid : NULL;
	struct item *it = mvid ? crossgen_map(q, mvid) : NULL;

	return it ? it : crossgen2_map(q, pe, mvid);
}

struct item *match_r2rmaps_find_by_mvid(struct r2rmap_query *q, const unsigned char *mvid)
{
	struct item *it = crossgen_map(q, mvid);

	return it ? it : map_by_mvid(q, mvid);
}

/*
 * The counts for one interpretation of a map's addresses.  inside: symbols inside the mapping.
 * sampled: samples inside symbols.
 */
struct reading {
	size_t inside, sampled;
};

static struct reading read_map_as(const struct binder *b, const struct bound_image *im,
                                  uint64_t bias)
{
	const struct symtab *t = &im->map->symbols;
	uint64_t first = im->m->first - bias, last = im->m->last - bias;
	const struct sampled_address *a = sampled_find(b->sampled, im->m);
	struct reading r = { 0 };

	for (size_t i = 0; i < t->n; i++)
		r.inside += t->sym[i].start >= first && t->sym[i].end <= last;
	for (; a; a = sampled_next(b->sampled, a))
		r.sampled +=
		        symtab_find(t, sampled_byte(a->ip, a->caller) - bias) != NULL;
	return r;
}

bool match_r2rmaps_hold_half(const struct binder *b, const struct bound_image *im)
{
	const struct sampled_address *a = sampled_find(b->sampled, im->m);
	size_t all = 0;

	for (; a; a = sampled_next(b->sampled, a))
		all++;
	return all && 2 * read_map_as(b, im, im->m->bias).sampled >= all;
}

/*
 * Returns true if the map's addresses fit better as file offsets than as RVAs.  Compares the
 * numbers of symbols inside the mapping.  If they are equal, compares the numbers of samples in
 * symbols.
 */
bool match_r2rmaps_fit_offsets(const struct binder *b, const struct bound_image *im)
{
	uint64_t middle = im->m->first + (im->m->last - im->m->first) / 2, at;
	struct reading rva, off;

	if (!im->map || !im->map->has_mvid || im->map->has_signature ||
	    !bound_image_rva(im, middle, &at))
		return false;
	rva = read_map_as(b, im, middle - at);
	off = read_map_as(b, im, im->m->bias);
	return off.inside != rva.inside ? off.inside > rva.inside
	                                : off.sampled > rva.sampled;
}
