/*
 * Maps of ReadyToRun images are relative: they name code once it is known which
 * image was mapped, and where.  The image itself (its sections) or perfinfo (its
 * base) says where; signature or MVID say which.
 */
#include "symbol/binder.h"

enum {
	PERCENT_CALLS = 75, /* right images: all; another version: 0 to 40 */
};

/* What one mapping looks for. */
struct search {
	struct binder *b;
	const struct mapping *m;
	struct str path, stem; /* "/srv/app/calc10.dll", "calc10" */
	struct arena scratch;
	const char *why; /* the reason it was not placed */
};

static struct str stem_of(struct str path)
{
	struct str base = str_base(path), none = { 0 };

	if (base.n > 4 && (str_ends(base, STR(".dll")) || str_ends(base, STR(".exe"))))
		return str_head(base, base.n - 4);
	return none;
}

/* Do the return addresses that were sampled in m follow calls in this image? */
static bool calls_agree(const struct binder *b, const struct mapping *m,
                        const struct pe *pe)
{
	size_t all = 0, good = 0;

	if (!pe_knows_calls(pe))
		return true;
	for (uint32_t i = table_get(&b->code_of, m->id, 0); i; i = b->code[i - 1].next)
		if (b->code[i - 1].caller) {
			all++;
			good += pe_follows_call(pe, b->code[i - 1].ip - m->bias);
		}
	return good * 100 >= all * PERCENT_CALLS;
}

static const struct pe *find_pe(struct search *s)
{
	struct locator *l = s->b->locator;
	struct item *it = locate_base(l, s->path);
	uint64_t length = s->m->last - s->m->first, file_off = s->m->first - s->m->bias;

	s->why = "its image is not among the sources";
	for (; it; it = it->next ? &l->item[it->next - 1] : NULL) {
		const struct pe *pe = locate_pe(l, it);

		if (!pe)
			continue;
		if (pe_mapped_length(pe, file_off) != length)
			s->why = "the image there is another version: its code has "
			         "another length";
		else if (!calls_agree(s->b, s->m, pe))
			s->why = "the image there is another version: sampled return "
			         "addresses "
			         "follow no calls in it";
		else
			return pe;
	}
	return NULL;
}

static struct item *map_called(struct search *s, struct str name)
{
	struct item *it = locate_base(s->b->locator, name);

	while (it && it->kind != ITEM_PERFMAP)
		it = it->next ? &s->b->locator->item[it->next - 1] : NULL;
	return it;
}

/* crossgen names its map after the MVID, in the text form of a GUID. */
static struct item *crossgen_map(struct search *s, const unsigned char mvid[MVID_BYTES])
{
	static const unsigned char place[MVID_BYTES] = { 3, 2, 1,  0,  5,  4,  7,  6,
		                                         8, 9, 10, 11, 12, 13, 14, 15 };
	char guid[37];
	size_t n = 0;

	for (size_t i = 0; i < MVID_BYTES; i++) {
		unsigned char byte = mvid[place[i]];

		if (i == 4 || i == 6 || i == 8 || i == 10)
			guid[n++] = '-';
		guid[n++] = "0123456789abcdef"[byte >> 4];
		guid[n++] = "0123456789abcdef"[byte & 15];
	}
	return map_called(s, arena_fmt(&s->scratch, PRSTR ".ni.{%.36s}.map",
	                               STRARG(s->stem), guid));
}

static struct item *crossgen2_map(struct search *s, const struct pe *pe)
{
	struct item *it = map_called(
	        s, arena_fmt(&s->scratch, PRSTR ".ni.r2rmap", STRARG(s->stem)));
	const struct perfmap *map = it ? locate_perfmap(s->b->locator, it) : NULL;

	if (!map)
		return NULL;
	if (map->has_signature && pe->has_signature &&
	    !memcmp(map->signature, pe->signature, sizeof(map->signature)))
		return it;
	s->why = "its signature is not that of the image";
	return NULL;
}

static bool find_by_perfinfo(struct search *s, struct bound_image *out)
{
	const struct binder *b = s->b;

	for (size_t i = 0; i < b->nloads; i++) {
		const struct image_load *load = &b->load[i];

		if (!load->base || load->base > s->m->first ||
		    s->m->first - load->base > UINT32_MAX || !str_eq(load->path, s->path))
			continue;
		out->item = crossgen_map(s, load->mvid);
		out->base = load->base;
		if (out->item)
			return true;
	}
	return false;
}

static bool find_image(struct search *s, struct bound_image *out)
{
	const struct pe *pe = find_pe(s);

	out->pe = pe;
	out->item = NULL;
	if (pe) {
		s->why = "no map of that image";
		if (pe->has_mvid)
			out->item = crossgen_map(s, pe->mvid);
		if (!out->item)
			out->item = crossgen2_map(s, pe);
		if (out->item)
			return true;
	}
	out->pe = NULL;
	return find_by_perfinfo(s, out);
}

static void place(struct binder *b, const struct bound_image *im)
{
	b->image = arena_grow(b->run, b->image, &b->images_cap, b->nimages + 1,
	                      sizeof(*b->image));
	b->image[b->nimages++] = *im;
	*table_at(&b->image_of, b->run, im->m->id, 0) = (uint32_t)b->nimages;
	im->item->placed = true;
}

/* One line for each relative map that names nothing, with the reason. */
static void report(struct binder *b, const char *const *why)
{
	struct locator *l = b->locator;

	for (size_t i = 0; i < l->n; i++) {
		struct item *it = &l->item[i];
		const struct perfmap *map = locate_perfmap(l, it);

		if (!map || !map->relative || it->placed)
			continue;
		diag_note(b->diag, PRSTR ": not placed: %s", STRARG(it->name),
		          why[i] ? why[i] : "no process has mapped its image");
	}
}

/* Relative maps that are about this stem learn why they were not taken. */
static void blame(struct search *s, const char **why)
{
	struct locator *l = s->b->locator;

	for (size_t i = 0; i < l->n; i++)
		if (str_eq(perfmap_image(l->item[i].name), s->stem))
			why[i] = s->why;
}

/* Only images that some map is about are looked for. */
static bool learn_stems(struct binder *b)
{
	struct locator *l = b->locator;
	struct perfinfo pi;

	for (size_t i = 0; i < l->n; i++) {
		struct str stem = perfmap_image(l->item[i].name), bytes;

		if (stem.n)
			*table_at(&b->stems, b->run, intern(l->names, stem), 0) = 1;
		if (l->item[i].kind != ITEM_PERFINFO)
			continue;
		bytes = source_map(l->item[i].source, l->item[i].member);
		perfinfo_read(&pi, bytes, b->run);
		for (size_t k = 0; k < pi.n; k++) {
			b->load = arena_grow(b->run, b->load, &b->loads_cap,
			                     b->nloads + 1, sizeof(*b->load));
			b->load[b->nloads++] = pi.load[k];
		}
	}
	return b->stems.n != 0;
}

void bind_place_images(struct binder *b)
{
	struct locator *l = b->locator;
	struct arena scratch = { 0 };
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);
	const char **why;

	if (!learn_stems(b))
		return;
	why = arena_new(&scratch, const char *, l->n + 1);
	for (size_t i = 0; i < n; i++) {
		struct search s = { .b = b, .m = maps[i] };
		struct bound_image im = { .m = maps[i] };

		s.path = intern_str(l->names, maps[i]->path);
		s.stem = stem_of(s.path);
		if (maps[i]->kind != MAPPED_IMAGE || !s.stem.n ||
		    !table_get(&b->stems, intern(l->names, s.stem), 0))
			continue;
		if (find_image(&s, &im)) {
			im.map = locate_perfmap(l, im.item);
			place(b, &im);
		} else {
			blame(&s, why);
		}
		arena_release(&s.scratch);
	}
	report(b, why);
	arena_release(&scratch);
}
