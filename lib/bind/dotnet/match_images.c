#include "bind/dotnet/match_images.h"

#include "bind/binder.h"
#include "bind/dotnet/bound_image.h"
#include "bind/dotnet/loaded.h"
#include "bind/dotnet/local_image.h"
#include "bind/dotnet/match_bundled.h"
#include "bind/dotnet/match_copied.h"
#include "bind/dotnet/match_r2rmaps.h"
#include "bind/match_maps.h"
#include "bind/sampled.h"

enum {
	/*
	 * least percentage of return addresses that follow calls.  The right image has
	 * 100 %, other versions have 0 to 40 %
	 */
	PERCENT_CALLS = 75,
};

/* The search for the image of a mapping. */
struct search {
	const struct binder *b;
	const struct mapping *m;
	struct str path; /* "/srv/app/calc10.dll" */
	struct arena scratch;
	struct r2rmap_query maps;
	/* second pass: images that do not depend on others are already bound */
	bool last;
	/* if m has no samples, the search may be postponed until a frame needs the image */
	bool may_wait;
	bool beside; /* verified because another image of its framework is */
	/* the image is a file of this machine that was mapped during the recording */
	bool mapped;
	struct refused_image refused;
};

static struct str stem_of(struct str path)
{
	struct str base = str_base(path), none = { 0 };

	if (base.n <= 4 || !(str_ends(base, STR(".dll")) || str_ends(base, STR(".exe"))))
		return none;
	base.n -= 4;
	return str_head(base, base.n - (locate_is_native_image(path) ? 3 : 0));
}

/*
 * The number of return addresses sampled in a mapping, and how many of them follow calls in an
 * image.
 */
struct calls {
	size_t all, good;
};

static struct calls count_calls(const struct binder *b, const struct mapping *m,
                                const struct pe *pe)
{
	const struct sampled_address *a = sampled_find(b->sampled, m);
	struct calls c = { 0 };

	if (!pe_knows_calls(pe))
		return c;
	for (; a; a = sampled_next(b->sampled, a))
		if (a->caller) {
			c.all++;
			c.good += pe_follows_call(pe, a->ip - m->bias);
		}
	return c;
}

enum mvid { MVID_NOT_SAID, MVID_SAME, MVID_OTHER };

/* Compares the MVID of pe with perfinfo, which lists the images loaded from the path of m. */
static enum mvid compare_mvid(const struct search *s, const struct pe *pe)
{
	const struct loaded_image *i = loaded_find(s->b, s->m->path);
	enum mvid found = MVID_NOT_SAID;

	for (int tried = 0; i && tried < SAME_NAME; tried++, i = loaded_next(s->b, i)) {
		if (!pe->has_mvid)
			continue;
		if (!memcmp(i->load.mvid, pe->mvid, MVID_BYTES))
			return MVID_SAME;
		found = MVID_OTHER;
	}
	return found;
}

/* Returns true for a framework's directory: ".../Microsoft.NETCore.App/10.0.12/". */
static bool is_framework(struct str folder)
{
	struct str path = str_head(folder, folder.n ? folder.n - 1 : 0);
	struct str version = str_base(path);

	return version.n && str_is_digit(*version.p) &&
	       str_ends(str_dir(path), STR(".App/"));
}

/*
 * Returns true if image and core have the same file version, such as "10.0.1226.42308".  Only
 * official builds have four numbers, which differ for each build.
 */
static bool same_build(struct locator *l, struct item *core, struct item *image)
{
	const struct pe *a = locate_pe(l, core), *b = locate_pe(l, image);
	uint64_t version;

	if (!a || !b || !str_eq(str_base(core->name), STR("System.Private.CoreLib.dll")))
		return false;
	version = pe_file_version(a);
	return version >> 16 & 0xffff && version & 0xffff &&
	       pe_file_version(b) == version;
}

/*
 * Returns true if the directory of image contains a verified image, and if both images belong to
 * the framework of m.
 */
static bool is_beside(const struct binder *b, const struct mapping *m, struct item *image)
{
	struct str here = str_dir(intern_str(b->locator->names, m->path));

	for (size_t i = 0; i < b->images->n; i++) {
		const struct bound_image *other = &b->images->image[i];
		struct str path = intern_str(b->locator->names, other->m->path);

		if (other->image && other->image->source == image->source &&
		    !other->beside && str_eq(str_dir(path), here) &&
		    str_eq(str_dir(other->image->name), str_dir(image->name)) &&
		    (is_framework(here) || same_build(b->locator, other->image, image)))
			return true;
	}
	return false;
}

/*
 * Returns true if the image was loaded at m, an assumed mapping.  Builds of an assembly for
 * several machines share an MVID, so the MVID is not sufficient: a return address must also
 * follow a call.
 */
static bool is_verified(struct search *s, struct item *it, const struct calls *c,
                        enum mvid mvid)
{
	if (c->good * 100 < c->all * VERIFIED_CALLS_PERCENT)
		return false;
	s->beside = false;
	if (c->all >= VERIFIED_MIN_CALLS || (c->all && mvid == MVID_SAME))
		return true;
	s->beside = s->last && is_beside(s->b, s->m, it);
	return s->beside;
}

/*
 * Returns true if an image of this machine may be the mapped image.  If the properties of the
 * file do not prove this, the sampled return addresses must follow call instructions.
 */
static bool is_likely(struct search *s, const struct item *it, const struct pe *pe)
{
	enum host_likeness like = local_image_compare(s->b, s->m, it);
	struct calls c = { 0 };

	s->mapped = like == HOST_SAME;
	if (like == HOST_UNSURE)
		c = count_calls(s->b, s->m, pe);
	return s->mapped || (c.all >= VERIFIED_MIN_CALLS &&
	                     c.good * 100 >= c.all * VERIFIED_CALLS_PERCENT);
}

/*
 * Returns the reason why the image cannot be used, or NULL.  Sets *is_it if the image is the
 * mapped image.
 */
static const char *differs(struct search *s, struct item *it, const struct pe *pe,
                           bool *is_it)
{
	uint64_t length = s->m->last - s->m->first, file_off = s->m->first - s->m->bias;
	struct calls calls = count_calls(s->b, s->m, pe);
	enum mvid mvid = compare_mvid(s, pe);

	*is_it = s->mapped = false;
	if (it->local && !is_likely(s, it, pe))
		return "it is a file of this machine, and too few return addresses "
		       "follow calls in it to verify it (--trust-host)";
	if (mvid == MVID_OTHER)
		return "the image is another version: its MVID differs from the one in "
		       "perfinfo";
	if (!s->m->assumed && pe_mapped_length(pe, 0, file_off) != length) {
		*is_it = pe_cut_length(pe, 0, file_off) == length;
		return *is_it ? "the image is cut off"
		              : "the image is another version: its code has another "
		                "length";
	}
	if (s->m->assumed)
		return is_verified(s, it, &calls, mvid)
		               ? NULL
		               : "its load address was not recorded, and too few return "
		                 "addresses follow calls in it to verify it";
	if (calls.good * 100 >= calls.all * PERCENT_CALLS)
		return NULL;
	*is_it = mvid == MVID_SAME;
	return *is_it ? "the image is damaged: sampled return addresses do not follow "
	                "calls in it"
	              : "the image is another version: sampled return addresses do not "
	                "follow calls in it";
}

/*
 * Finds an image inside a single-file program, because m may map the extracted file of the image.
 * Before .NET 5, such programs always extract their images.  Later versions do this on request.
 */
static struct item *find_extracted(struct search *s)
{
	struct item *it;
	size_t at = 0;
	bool is_it;

	while ((it = match_bundled_next(s->b, str_base(s->path), &at)))
		if (!differs(s, it, locate_pe(s->b->locator, it), &is_it))
			return it;
	return NULL;
}

/*
 * Stores an unused image, and the reason why it is not used.  If several images are not used,
 * keeps the one that m maps, or else the last one.
 */
static void pass_over(struct search *s, struct item *it, const char *why, bool is_it)
{
	if (s->refused.is_it)
		return;
	s->maps.why = it->why = why;
	s->refused = (struct refused_image){ it, why, is_it };
}

/*
 * Returns the image whose path matches the path of m in the most components.  Prefers precompiled
 * images to images with only IL.
 */
static struct item *find_pe(struct search *s)
{
	struct locator *l = s->b->locator;
	struct item *it = locate_base(l, s->path), *best = NULL;
	bool beside = false, mapped = false;
	size_t most = 0;

	s->maps.why = "its image is not among the sources";
	for (int tried = 0; it && tried < SAME_NAME; tried++, it = locate_next(l, it)) {
		size_t parts = 2 * locate_common_parts(it->name, s->path);
		const struct pe *pe;
		const char *why;
		bool is_it;

		if (parts + 1 <= most || it->kind != ITEM_PE)
			continue;
		pe = locate_pe(l, it);
		if (!pe) {
			pass_over(s, it, it->why, false);
			continue;
		}
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
		mapped = s->mapped;
	}
	s->beside = beside;
	s->mapped = mapped;
	return best ? best : find_extracted(s);
}

/*
 * Returns true if m can be a mapping of the loaded image.  If m is an assumed mapping, perfinfo
 * must contain the load address of m.
 */
static bool may_hold(const struct image_load *load, const struct mapping *m)
{
	return m->assumed ? load->base && load->base == m->bias
	                  : loaded_reaches(load, m->first);
}

static bool find_by_perfinfo(struct search *s, struct bound_image *out)
{
	const struct loaded_image *i = loaded_find(s->b, s->m->path);

	out->item = NULL;
	for (int tried = 0; i && tried < SAME_NAME; tried++, i = loaded_next(s->b, i)) {
		const struct image_load *load = &i->load;
		struct item *it;

		if (!may_hold(load, s->m))
			continue;
		/*
		 * Several processes may have loaded the image at different bases.  m belongs to the
		 * load with the highest base below m.
		 */
		if (out->item && out->base >= load->base)
			continue;
		it = match_r2rmaps_find_by_mvid(&s->maps, load->mvid);
		if (it) {
			out->item = it;
			out->base = load->base;
		}
	}
	return out->item != NULL;
}

/*
 * Finds the map of an old runtime's native image for a text without mappings.  The frames and
 * crossgen's map contain file offsets.  perfinfo does not contain an address, but it contains the
 * MVID, which identifies the map.
 */
static bool find_by_offsets(struct search *s, struct bound_image *out)
{
	const unsigned char *mvid = NULL;
	struct bound_image im = { .m = s->m };

	if (s->m->assumed && !s->m->bias && locate_is_native_image(s->path))
		mvid = loaded_find_process_mvid(s->b, s->m->pid, s->m->path);
	im.item = mvid ? match_r2rmaps_find_by_mvid(&s->maps, mvid) : NULL;
	im.map = im.item ? locate_perfmap(s->b->locator, im.item) : NULL;
	if (!im.map || !im.map->has_mvid || im.map->has_signature)
		return false;
	if (!match_r2rmaps_hold_half(s->b, &im)) {
		s->maps.why = "fewer than half of its offsets are inside the image";
		return false;
	}
	out->item = im.item;
	return true;
}

static bool find_image(struct search *s, struct bound_image *out)
{
	struct item *image = find_pe(s);
	const struct pe *pe = image ? locate_pe(s->b->locator, image) : NULL;

	out->pe = pe;
	out->item = NULL;
	if (pe) {
		s->maps.why = "it was made for another build of its image";
		out->beside = s->beside;
		out->mapped = s->mapped;
		out->item = match_r2rmaps_find_by_image(&s->maps, pe);
		out->image = r2r_bid(pe) ? image : NULL;
		if (r2r_is_fragile(pe))
			out->whole = arena_fmt(s->b->run, "[" PRSTR " (ngen)]",
			                       STRARG(s->maps.stem));
		if (out->item || out->image || out->whole.n)
			return true;
	}
	out->pe = NULL;
	return find_by_perfinfo(s, out) || find_by_offsets(s, out);
}

/* Returns the number of a stem (see learn_stems), or 0 if no map of crossgen has that stem. */
static uint32_t stem_number(const struct binder *b, struct str stem)
{
	if (!stem.n)
		return 0;
	return table_get(&b->image_matches->stems, intern(b->locator->names, stem), 0);
}

/* Refused images.  A report contains only the name of the first image. */
struct refusals {
	struct refused_image first;
	size_t n;
	struct table seen; /* set of items that were counted */
	struct arena scratch;
};

/* Counts an image, unless it was counted before. */
static void add_refusal(struct refusals *r, const struct refused_image *refused)
{
	uint32_t *at = table_at(&r->seen, &r->scratch, (uintptr_t)refused->item, 0);

	if (*at)
		return;
	*at = 1;
	if (r->n++)
		return;
	r->first = *refused;
	refused->item->told = true;
}

static void report_refusals(struct refusals *r, struct diag *diag)
{
	if (r->n == 1)
		diag_note(diag, PRSTR ": not used: %s", STRARG(r->first.item->name),
		          r->first.why);
	else if (r->n)
		diag_note(diag, "%zu images not used; " PRSTR ": %s", r->n,
		          STRARG(r->first.item->name), r->first.why);
	arena_release(&r->scratch);
}

static void report_unplaced(const struct binder *b, const struct item *it)
{
	diag_note(b->diag, PRSTR ": not placed: %s", STRARG(it->name), it->why);
}

/* Reports unused maps of crossgen with the reason.  Maps with the same reason share a line. */
static void report(struct binder *b, const char *const *why)
{
	struct locator *l = b->locator;
	struct refusals others = { 0 };

	for (size_t i = 0; i < l->n; i++) {
		struct item *it = &l->item[i];
		const struct perfmap *map = it->perfmap;
		const char *reason = why[stem_number(b, perfmap_image(it->name))];

		if (!map || !map->relative)
			continue;
		match_maps_report_lines(b, it, map);
		it->why = reason ? reason : "no process mapped its image";
		if (!it->placed && locate_is_named(it))
			report_unplaced(b, it);
		else if (!it->placed)
			add_refusal(&others,
			            &(struct refused_image){ it, it->why, false });
	}
	if (others.n == 1)
		report_unplaced(b, others.first.item);
	else if (others.n)
		diag_note(b->diag, "%zu maps not placed; " PRSTR ": %s", others.n,
		          STRARG(others.first.item->name), others.first.why);
	arena_release(&others.scratch);
}

/* Assigns numbers to all stems.  A stem is the image name in the file name of a map of crossgen. */
static void learn_stems(struct binder *b)
{
	struct image_matches *im = b->image_matches;
	struct locator *l = b->locator;

	for (size_t i = 0; i < l->n && !im->learned; i++) {
		struct str stem = perfmap_image(l->item[i].name);
		uint32_t *at;

		if (!stem.n || stem_number(b, stem))
			continue;
		at = table_at(&im->stems, b->run, intern(l->names, stem), 0);
		*at = (uint32_t)im->stems.n;
	}
	im->learned = true;
}

/* Returns true if an input file is an image with the file name of path. */
static bool has_image(const struct binder *b, struct str path)
{
	struct locator *l = b->locator;
	struct item *it = locate_base(l, path);
	size_t at = 0;

	for (int tried = 0; it && tried < SAME_NAME; tried++) {
		if (it->kind == ITEM_PE)
			return true;
		it = locate_next(l, it);
	}
	return match_bundled_next(b, str_base(path), &at) != NULL;
}

static void remember_refusal(const struct binder *b, const struct search *s)
{
	struct image_matches *im = b->image_matches;

	*arena_push(b->run, im->refused, im->nrefused, im->refused_cap) = s->refused;
	*table_at(&im->refused_of, b->run, s->m->id, 0) = (uint32_t)im->nrefused;
}

const struct refused_image *match_images_refused(const struct binder *b,
                                                 const struct mapping *m)
{
	uint32_t at = table_get(&b->image_matches->refused_of, m->id, 0);

	return at ? &b->image_matches->refused[at - 1] : NULL;
}

/* Reports a fragile native image.  .NET Core 2 has only one such image. */
static void report_fragile(const struct binder *b)
{
	for (size_t i = 0; i < b->images->n; i++) {
		const struct bound_image *im = &b->images->image[i];

		if (!im->whole.n || im->map)
			continue;
		diag_note(b->diag,
		          PRSTR ": a fragile native image, which needs a map made by "
		                "crossgen; --missing names it",
		          STRARG(str_base(intern_str(b->locator->names, im->m->path))));
		return;
	}
}

/* Adds this machine's image at the path of the mapping. */
static void add_local(struct search *s)
{
	const char *why = NULL;
	struct item *it = local_image_add(s->b, s->m, &why);

	if (it && why)
		pass_over(s, it, why, false);
}

/*
 * Binds the image of the mapping.  Returns false if an image or map with the name of the mapping
 * exists, but cannot be bound.
 */
static bool place_image(struct search *s)
{
	const struct binder *b = s->b;
	struct bound_image im = { .m = s->m };
	bool named;

	s->path = intern_str(b->locator->names, s->m->path);
	s->maps = (struct r2rmap_query){ .l = b->locator,
		                         .stem = stem_of(s->path),
		                         .scratch = &s->scratch };
	if (s->m->kind == MAPPED_IMAGE && s->maps.stem.n)
		add_local(s);
	named = s->refused.item || stem_number(b, s->maps.stem) ||
	        (s->maps.stem.n && has_image(b, s->path));
	if (s->m->kind != MAPPED_IMAGE || !named || bound_image_get(b, s->m))
		return true;
	/*
	 * If a map of crossgen has the name of the image, the search is not postponed, because a
	 * report states whether the map is used.
	 */
	if (s->may_wait && !stem_number(b, s->maps.stem) &&
	    !sampled_find(b->sampled, s->m)) {
		*table_at(&b->image_matches->later, b->run, s->m->id, 0) = 1;
		return true;
	}
	if (!find_image(s, &im))
		return false;
	if (im.item)
		s->maps.why = NULL;
	im.map = im.item ? locate_perfmap(b->locator, im.item) : NULL;
	im.offsets = match_r2rmaps_fit_offsets(b, &im);
	bound_image_add(b, &im);
	return true;
}

/* Performs the postponed search for the image of a mapping. */
static void match_late(const struct binder *b, const struct mapping *m)
{
	struct search s = { .b = b, .m = m, .last = true };

	*table_at(&b->image_matches->later, b->run, m->id, 0) = 2;
	if (!place_image(&s) && s.refused.item)
		remember_refusal(b, &s);
	arena_release(&s.scratch);
}

const struct bound_image *match_images_of(const struct binder *b, const struct mapping *m)
{
	const struct bound_image *im = bound_image_get(b, m);

	if (im || table_get(&b->image_matches->later, m->id, 0) != 1)
		return im;
	match_late(b, m);
	return bound_image_get(b, m);
}

/*
 * Returns true if any of the mappings is assumed.  All images are then searched for at once, not
 * on first use, because the image of one mapping may verify the image of another.
 */
static bool has_assumed(const struct mapping *const *maps, size_t n)
{
	while (n-- > 0)
		if (maps[n]->assumed)
			return true;
	return false;
}

void match_images(struct binder *b, bool all)
{
	arena_scope(scratch);
	struct refusals refusals = { 0 };
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);
	const char **why;

	all = all || has_assumed(maps, n);
	learn_stems(b);
	loaded_read(b);
	why = arena_new(&scratch, const char *, b->image_matches->stems.n + 1);
	for (size_t i = 0; i < 2 * n; i++) {
		struct search s = { .b = b,
			            .m = maps[i < n ? i : i - n],
			            .last = i >= n,
			            .may_wait = !all };

		bool placed = place_image(&s);

		if (s.maps.why && (placed || s.last))
			why[stem_number(b, s.maps.stem)] =
			        /* number 0 represents all stems without a map */
			        s.maps.why;
		if (!placed && s.last && s.refused.item) {
			add_refusal(&refusals, &s.refused);
			remember_refusal(b, &s);
		}
		arena_release(&s.scratch);
	}
	match_bundled(b);
	match_copied(b);
	report(b, why);
	report_fragile(b);
	report_refusals(&refusals, b->diag);
}
