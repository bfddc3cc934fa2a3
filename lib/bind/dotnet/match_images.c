/*
 * ReadyToRun images name their own code, and maps of them name it too; both are
 * relative: first it must be known which image was mapped, and where.  The image
 * itself (its sections) or perfinfo (its base) says where; the mapping's length, the
 * calls before return addresses, signature and MVID say which.
 */
#include "bind/dotnet/loaded.h"

enum {
	PERCENT_CALLS = 75, /* right images: all; another version: 0 to 40 */
};

/* What one mapping looks for. */
struct search {
	struct binder *b;
	const struct mapping *m;
	struct str path, stem; /* "/srv/app/calc10.dll", "calc10" */
	struct arena scratch;
	bool last;       /* what could be shown by itself is placed already */
	bool may_wait;   /* until a frame is met there, if none was noted */
	bool beside;     /* what was found was shown by others of its framework */
	const char *why; /* the reason it was not placed */
	struct refused_image refused; /* its image that was not taken */
};

static struct str stem_of(struct str path)
{
	struct str base = str_base(path), none = { 0 };

	if (base.n > 4 && (str_ends(base, STR(".dll")) || str_ends(base, STR(".exe"))))
		return str_head(base, base.n - 4);
	return none;
}

/* Return addresses that were sampled in a mapping, and those that follow calls there. */
struct calls {
	size_t all, good;
};

static struct calls count_calls(const struct binder *b, const struct mapping *m,
                                const struct pe *pe)
{
	struct calls c = { 0 };

	if (!pe_knows_calls(pe))
		return c;
	for (uint32_t i = table_get(&b->code_of, m->id, 0); i; i = b->code[i - 1].next)
		if (b->code[i - 1].caller) {
			c.all++;
			c.good += pe_follows_call(pe, b->code[i - 1].ip - m->bias);
		}
	return c;
}

const unsigned char *bind_loaded_mvid(const struct binder *b, str_id path)
{
	uint32_t i = table_get(&b->load_of, path, 0);
	const unsigned char *mvid = i ? b->load[i - 1].load.mvid : NULL;

	for (int tried = 0; i && tried < SAME_NAME; tried++, i = b->load[i - 1].next)
		if (memcmp(b->load[i - 1].load.mvid, mvid, MVID_BYTES) != 0)
			return NULL;
	return mvid;
}

enum mvid { MVID_NOT_SAID, MVID_SAME, MVID_OTHER };

/* perfinfo says which image the process loaded from there, if there is one. */
static enum mvid compare_mvid(const struct search *s, const struct pe *pe)
{
	const struct binder *b = s->b;
	uint32_t i = table_get(&b->load_of, s->m->path, 0);
	enum mvid found = MVID_NOT_SAID;

	for (int tried = 0; i && tried < SAME_NAME; tried++, i = b->load[i - 1].next) {
		const struct image_load *load = &b->load[i - 1].load;

		if (!pe->has_mvid)
			continue;
		if (!memcmp(load->mvid, pe->mvid, MVID_BYTES))
			return MVID_SAME;
		found = MVID_OTHER;
	}
	return found;
}

/*
 * Nothing told of the mapping: is it of this image?  MVIDs are the same for all machines
 * that an assembly is compiled for, so of one return address at least it must be seen.
 */
static bool is_shown(struct search *s, struct item *it, const struct calls *c,
                     enum mvid mvid)
{
	if (c->good * 100 < c->all * BIND_ALL_CALLS)
		return false;
	s->beside = false;
	if (c->all >= BIND_FEWEST_CALLS || (c->all && mvid == MVID_SAME))
		return true;
	s->beside = s->last && bind_is_beside(s->b, s->m, it);
	return s->beside;
}

/* NULL, or why it is not what this mapping is of, or *is_it but of no use. */
static const char *differs(struct search *s, struct item *it, const struct pe *pe,
                           bool *is_it)
{
	uint64_t length = s->m->last - s->m->first, file_off = s->m->first - s->m->bias;
	struct calls calls = count_calls(s->b, s->m, pe);
	enum mvid mvid = compare_mvid(s, pe);

	*is_it = false;
	if (mvid == MVID_OTHER)
		return "the image there is another version: its MVID is not what "
		       "perfinfo says";
	if (!s->m->assumed && pe_mapped_length(pe, 0, file_off) != length) {
		*is_it = pe_cut_length(pe, 0, file_off) == length;
		return *is_it ? "the image there is cut off"
		              : "the image there is another version: its code has "
		                "another length";
	}
	if (s->m->assumed)
		return is_shown(s, it, &calls, mvid)
		               ? NULL
		               : "nothing says where it was mapped, and too few return "
		                 "addresses follow calls in it to tell the version";
	if (calls.good * 100 >= calls.all * PERCENT_CALLS)
		return NULL;
	*is_it = mvid == MVID_SAME;
	return *is_it ? "the image there is damaged: sampled return addresses follow no "
	                "calls in it"
	              : "the image there is another version: sampled return addresses "
	                "follow no calls in it";
}

/* Before .NET 5, and on request, programs extract what they carry before they run. */
static struct item *find_extracted(struct search *s)
{
	struct item *it;
	size_t at = 0;
	bool is_it;

	while ((it = bind_next_carried(s->b, str_base(s->path), &at)))
		if (!differs(s, it, locate_pe(s->b->locator, it), &is_it))
			return it;
	return NULL;
}

/* Of several images that are not taken, the one that was mapped. */
static void pass_over(struct search *s, struct item *it, const char *why, bool is_it)
{
	if (s->refused.is_it)
		return;
	s->why = why;
	s->refused = (struct refused_image){ it, why, is_it };
}

/* Of several of that name the one whose path agrees longest, precompiled before IL. */
static struct item *find_pe(struct search *s)
{
	struct locator *l = s->b->locator;
	struct item *it = locate_base(l, s->path), *best = NULL;
	size_t most = 0;
	bool beside = false;

	s->why = "its image is not among the sources";
	for (int tried = 0; it && tried < SAME_NAME;
	     tried++, it = it->next ? &l->item[it->next - 1] : NULL) {
		size_t parts = 2 * locate_common_parts(it->name, s->path);
		const struct pe *pe;
		const char *why;
		bool is_it;

		if (parts + 1 <= most || it->kind != ITEM_PE || !(pe = locate_pe(l, it)))
			continue;
		parts += r2r_bid(pe);
		if (best && parts <= most)
			continue;
		why = differs(s, it, pe, &is_it);
		if (why) {
			pass_over(s, it, why, is_it);
			continue;
		}
		most = parts;
		best = it;
		beside = s->beside;
	}
	s->beside = beside;
	return best ? best : find_extracted(s);
}

static struct item *map_called(struct search *s, struct str name)
{
	struct item *it = locate_base(s->b->locator, name);

	for (int tried = 0; it && tried < SAME_NAME; tried++) {
		if (it->kind == ITEM_PERFMAP)
			return it;
		it = it->next ? &s->b->locator->item[it->next - 1] : NULL;
	}
	return NULL;
}

/* crossgen names its map after the MVID, in the text form of a GUID. */
static struct item *crossgen_map(struct search *s, const unsigned char mvid[MVID_BYTES])
{
	char guid[GUID_TEXT + 1];

	perfmap_guid_text(mvid, guid);
	return map_called(
	        s, arena_fmt(&s->scratch, PRSTR ".ni.{%s}.map", STRARG(s->stem), guid));
}

/* crossgen2 signs its maps; pe or mvid may be NULL. */
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

static struct item *crossgen2_map(struct search *s, const struct pe *pe,
                                  const unsigned char *mvid)
{
	static const char *const suffix[] = { ".ni.r2rmap", ".ni.{composite}.map" };
	struct locator *l = s->b->locator;

	for (size_t i = 0; i < sizeof(suffix) / sizeof(*suffix); i++) {
		struct str name =
		        arena_fmt(&s->scratch, PRSTR "%s", STRARG(s->stem), suffix[i]);
		struct item *it = locate_base(l, name);

		for (int tried = 0; it && tried < SAME_NAME; tried++) {
			const struct perfmap *map = locate_perfmap(l, it);

			if (is_signed_for(map, pe, mvid))
				return it;
			if (map)
				s->why = "its signature is not that of the image";
			it = locate_next(l, it);
		}
	}
	return NULL;
}

/*
 * By perfinfo alone.  The same assembly compiled for another machine has the same MVID:
 * of two such maps neither is taken.
 */
static struct item *map_by_mvid(struct search *s, const struct image_load *load)
{
	struct locator *l = s->b->locator;
	struct item *it = crossgen2_map(s, NULL, load->mvid), *other = it;
	const struct perfmap *map = it ? locate_perfmap(l, it) : NULL;

	while (map && (other = locate_next(l, other))) {
		const struct perfmap *too = locate_perfmap(l, other);

		if (!is_signed_for(too, NULL, load->mvid) ||
		    !memcmp(too->signature, map->signature, sizeof(map->signature)))
			continue;
		s->why = "there is one for another machine, too";
		return NULL;
	}
	return it;
}

/* It can hold that address: images are at most 4 GiB. */
static bool is_below(const struct image_load *load, uint64_t ip)
{
	return load->base && load->base <= ip && ip - load->base <= UINT32_MAX;
}

static bool find_by_perfinfo(struct search *s, struct bound_image *out)
{
	const struct binder *b = s->b;
	uint32_t i = table_get(&b->load_of, s->m->path, 0);

	out->item = NULL;
	for (int tried = 0; i && tried < SAME_NAME; tried++, i = b->load[i - 1].next) {
		const struct image_load *load = &b->load[i - 1].load;

		struct item *it;

		if (!is_below(load, s->m->first))
			continue;
		/* Of several, as of several processes, the one right below. */
		if (out->item && out->base >= load->base)
			continue;
		it = crossgen_map(s, load->mvid);
		if (!it)
			it = map_by_mvid(s, load);
		if (it) {
			out->item = it;
			out->base = load->base;
		}
	}
	return out->item != NULL;
}

static bool find_image(struct search *s, struct bound_image *out)
{
	struct item *image = find_pe(s);
	const struct pe *pe = image ? locate_pe(s->b->locator, image) : NULL;

	out->pe = pe;
	out->item = NULL;
	if (pe) {
		s->why = "no map of that image";
		out->beside = s->beside;
		if (pe->has_mvid)
			out->item = crossgen_map(s, pe->mvid);
		if (!out->item)
			out->item = crossgen2_map(s, pe, pe->has_mvid ? pe->mvid : NULL);
		out->image = r2r_bid(pe) ? image : NULL;
		if (r2r_is_fragile(pe))
			out->whole = arena_fmt(s->b->run, "[" PRSTR " (ngen)]",
			                       STRARG(s->stem));
		if (out->item || out->image || out->whole.n)
			return true;
	}
	out->pe = NULL;
	return find_by_perfinfo(s, out);
}

/* Symbols of the map, and samples in them, that this reading of it explains. */
struct reading {
	size_t inside, sampled;
};

static struct reading read_as(const struct binder *b, const struct bound_image *im,
                              uint64_t bias)
{
	const struct symtab *t = &im->map->symbols;
	uint64_t first = im->m->first - bias, last = im->m->last - bias;
	struct reading r = { 0 };

	for (size_t i = 0; i < t->n; i++)
		r.inside += t->sym[i].start >= first && t->sym[i].end <= last;
	for (uint32_t i = table_get(&b->code_of, im->m->id, 0); i;
	     i = b->code[i - 1].next) {
		const struct noted *at = &b->code[i - 1];

		r.sampled += symtab_find(t, at->ip - at->caller - bias) != NULL;
	}
	return r;
}

/*
 * crossgen's maps are in RVAs or, with NativeImagePerfMapFormat=OFFSET, in offsets in
 * the file, and do not say which: where the code would lie tells it, else the samples.
 */
static bool is_in_offsets(const struct binder *b, const struct bound_image *im)
{
	uint64_t middle = im->m->first + (im->m->last - im->m->first) / 2, at;
	struct reading rva, off;

	if (!im->map || !im->map->has_mvid || im->map->has_signature ||
	    !bound_rva(im, middle, &at))
		return false;
	rva = read_as(b, im, middle - at);
	off = read_as(b, im, im->m->bias);
	return off.inside != rva.inside ? off.inside > rva.inside
	                                : off.sampled > rva.sampled;
}

void bind_add_image(struct binder *b, const struct bound_image *im)
{
	b->image = arena_grow(b->run, b->image, &b->images_cap, b->nimages + 1,
	                      sizeof(*b->image));
	b->image[b->nimages++] = *im;
	*table_at(&b->image_of, b->run, im->m->id, 0) = (uint32_t)b->nimages;
	if (im->item)
		im->item->placed = true;
	if (im->image)
		im->image->placed = true;
}

/* The number of a stem; 0: no relative map is about it. */
static uint32_t stem_number(const struct binder *b, struct str stem)
{
	if (!stem.n)
		return 0;
	return table_get(&b->stems, intern(b->locator->names, stem), 0);
}

/* One line for each relative map that names nothing, with the reason. */
static void report(struct binder *b, const char *const *why)
{
	struct locator *l = b->locator;

	for (size_t i = 0; i < l->n; i++) {
		struct item *it = &l->item[i];
		const struct perfmap *map = locate_perfmap(l, it);
		const char *reason = why[stem_number(b, perfmap_image(it->name))];

		if (!map || !map->relative || it->placed)
			continue;
		diag_note(b->diag, PRSTR ": not placed: %s", STRARG(it->name),
		          reason ? reason : "no process has mapped its image");
	}
}

static void note_loads(struct binder *b, struct str bytes)
{
	struct perfinfo pi;

	perfinfo_read(&pi, bytes, b->run);
	for (size_t i = 0; i < pi.n; i++) {
		str_id path = intern(b->locator->names, pi.load[i].path);
		uint32_t *last = table_at(&b->load_of, b->run, path, 0);

		b->load = arena_grow(b->run, b->load, &b->loads_cap, b->nloads + 1,
		                     sizeof(*b->load));
		b->load[b->nloads++] = (struct noted_load){ pi.load[i], *last };
		*last = (uint32_t)b->nloads;
	}
}

/* What the relative maps are about, and what perfinfo says was loaded. */
static void learn_stems(struct binder *b)
{
	struct locator *l = b->locator;

	for (size_t i = 0; i < l->n && !b->learned; i++) {
		struct item *it = &l->item[i];
		struct str stem = perfmap_image(it->name);

		if (it->program) {
			b->program = arena_grow(b->run, b->program, &b->programs_cap,
			                        b->nprograms + 1, sizeof(*b->program));
			b->program[b->nprograms++] = it;
		}
		if (stem.n && !stem_number(b, stem)) {
			uint32_t *at =
			        table_at(&b->stems, b->run, intern(l->names, stem), 0);

			*at = (uint32_t)b->stems.n;
		}
		if (it->kind == ITEM_PERFINFO)
			note_loads(b, source_map(it->source, it->member));
	}
	b->learned = true;
}

const struct image_load *bind_loaded_below(struct binder *b, str_id path, uint64_t ip)
{
	const struct image_load *found = NULL;
	uint32_t i;

	learn_stems(b);
	i = table_get(&b->load_of, path, 0);
	for (int tried = 0; i && tried < SAME_NAME; tried++, i = b->load[i - 1].next) {
		const struct image_load *load = &b->load[i - 1].load;

		/* Of several, as of several processes, the one right below. */
		if (is_below(load, ip) && (!found || load->base > found->base))
			found = load;
	}
	return found;
}

/* Some image among the sources is called like what was mapped there. */
static bool has_image(struct binder *b, struct str path)
{
	struct locator *l = b->locator;
	struct item *it = locate_base(l, path);
	size_t at = 0;

	for (int tried = 0; it && tried < SAME_NAME; tried++) {
		if (it->kind == ITEM_PE)
			return true;
		it = it->next ? &l->item[it->next - 1] : NULL;
	}
	return bind_next_carried(b, str_base(path), &at) != NULL;
}

static void remember_refusal(struct binder *b, const struct search *s)
{
	b->refused = arena_grow(b->run, b->refused, &b->refused_cap, b->nrefused + 1,
	                        sizeof(*b->refused));
	b->refused[b->nrefused++] = s->refused;
	*table_at(&b->refused_of, b->run, s->m->id, 0) = (uint32_t)b->nrefused;
}

const struct refused_image *bind_refused_image(const struct binder *b,
                                               const struct mapping *m)
{
	uint32_t at = table_get(&b->refused_of, m->id, 0);

	return at ? &b->refused[at - 1] : NULL;
}

/* Of .NET Core 2 only one library is such an image. */
static void report_fragile(const struct binder *b)
{
	for (size_t i = 0; i < b->nimages; i++) {
		const struct bound_image *im = &b->image[i];

		if (!im->whole.n || im->map)
			continue;
		diag_note(b->diag,
		          PRSTR ": a fragile native image, whose methods only a map of "
		                "crossgen names; --missing says which",
		          STRARG(str_base(intern_str(b->locator->names, im->m->path))));
		return;
	}
}

/* False: there is an image or map of that name, and it was not placed. */
static bool place_image(struct search *s)
{
	struct binder *b = s->b;
	struct bound_image im = { .m = s->m };
	bool named;

	s->path = intern_str(b->locator->names, s->m->path);
	s->stem = stem_of(s->path);
	named = stem_number(b, s->stem) || (s->stem.n && has_image(b, s->path));
	if (s->m->kind != MAPPED_IMAGE || !named || table_get(&b->image_of, s->m->id, 0))
		return true;
	/* The map of an image must be told to belong, or not. */
	if (s->may_wait && !stem_number(b, s->stem) &&
	    !table_get(&b->code_of, s->m->id, 0)) {
		*table_at(&b->later, b->run, s->m->id, 0) = 1;
		return true;
	}
	if (!find_image(s, &im))
		return false;
	im.map = im.item ? locate_perfmap(b->locator, im.item) : NULL;
	im.offsets = is_in_offsets(b, &im);
	bind_add_image(b, &im);
	return true;
}

void bind_place_late(struct binder *b, const struct mapping *m)
{
	*table_at(&b->later, b->run, m->id, 0) = 2;
	for (int last = 0; last < 2; last++) {
		struct search s = { .b = b, .m = m, .last = last != 0 };

		if (!place_image(&s) && s.last && s.refused.item)
			remember_refusal(b, &s);
		arena_release(&s.scratch);
	}
}

/* What the texts' frames alone say is shown by images that belong beside it. */
static bool has_assumed(const struct mapping *const *maps, size_t n)
{
	while (n-- > 0)
		if (maps[n]->assumed)
			return true;
	return false;
}

void bind_place_images(struct binder *b, bool all)
{
	struct arena scratch = { 0 };
	struct refusals refusals = { 0 };
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);
	const char **why;

	all = all || has_assumed(maps, n);
	learn_stems(b);
	why = arena_new(&scratch, const char *, b->stems.n + 1);
	for (size_t i = 0; i < 2 * n; i++) {
		struct search s = { .b = b,
			            .m = maps[i < n ? i : i - n],
			            .last = i >= n,
			            .may_wait = !all };

		if (!place_image(&s) && s.last) {
			why[stem_number(b, s.stem)] = s.why; /* [0]: of no map */
			if (s.refused.item) {
				refusals_add(&refusals, &s.refused);
				remember_refusal(b, &s);
			}
		}
		arena_release(&s.scratch);
	}
	bind_place_carried(b);
	bind_place_copied(b);
	report(b, why);
	report_fragile(b);
	refusals_report(&refusals, b->diag);
	arena_release(&scratch);
}
