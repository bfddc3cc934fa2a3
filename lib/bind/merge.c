#include "bind/merge.h"

#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/dotnet/bound_image.h"
#include "bind/dotnet/r2rmap_names.h"

ORDER(by_number, int32_t, num_cmp(*a, *b))

size_t merge_processes(const struct binder *b, struct arena *a, const int32_t **out)
{
	const struct bound_map *map = b->maps->map;
	const struct bound_image *image = b->images->image;
	size_t nmaps = b->maps->n, nimages = b->images->n, n = 0, kept = 0;
	int32_t *pid = arena_new(a, int32_t, nmaps + nimages + 1);

	for (size_t i = 0; i < nmaps; i++)
		pid[n++] = map[i].pid;
	for (size_t i = 0; i < nimages; i++)
		if (!image[i].m->assumed && (image[i].map || image[i].whole.n ||
		                             bound_image_methods(b, &image[i])))
			pid[n++] = image[i].m->pid;
	order_by(pid, n, by_number);
	for (size_t i = 0; i < n; i++)
		if (!kept || pid[kept - 1] != pid[i])
			pid[kept++] = pid[i];
	*out = pid;
	return kept;
}

static struct merge_part *new_part(struct merge *mg, struct arena *a, struct str name,
                                   uint64_t at)
{
	arena_fit(a, mg->part, mg->nparts + 1, mg->parts_cap);
	mg->part[mg->nparts] = (struct merge_part){ .name = name, .at = at };
	return &mg->part[mg->nparts++];
}

/* Adds a symbol.  `at` is an RVA or, if `offset` is set, a file offset. */
static void add_range(struct merge *mg, struct merge_part *part, struct arena *a,
                      const struct bound_image *im, uint64_t at, uint64_t size,
                      bool offset, struct str name)
{
	uint64_t ip = at + im->file_base + im->m->bias;

	if ((!offset && !bound_image_ip(im, at, &ip)) || ip < im->m->first ||
	    ip >= im->m->last) {
		part->outside++;
		return;
	}
	if (size > im->m->last - ip)
		size = im->m->last - ip;
	symtab_add(&mg->symbols, a, ip, size, name);
	part->symbols++;
}

/* If the methods of an image are unknown, one symbol represents all its code. */
static void add_whole(struct merge *mg, struct arena *a, const struct bound_image *im)
{
	if (!im->whole.n)
		return;
	symtab_add(&mg->symbols, a, im->m->first, im->m->last - im->m->first, im->whole);
	new_part(mg, a, im->whole, im->m->first)->symbols = 1;
}

static void add_image(const struct binder *b, struct merge *mg, struct arena *a,
                      const struct r2rmap_names *spell, const struct bound_image *im)
{
	struct merge_part *part;
	struct r2r *r = bound_image_methods(b, im);
	size_t n = r ? r2r_count(r) : im->map ? im->map->symbols.n : 0;

	if (!n)
		return;
	part = new_part(mg, a, im->image ? im->image->name : im->item->name,
	                im->m->first);
	for (size_t i = 0; i < n && r; i++) {
		struct r2r_range code = r2r_range(r, i);

		add_range(mg, part, a, im, code.begin, code.end - code.begin, false,
		          bound_image_method_name(im, r, i, a));
	}
	for (size_t i = 0; i < n && !r; i++) {
		const struct symbol *s = &im->map->symbols.sym[i];

		add_range(mg, part, a, im, s->start, s->end - s->start, im->offsets,
		          r2rmap_names_respell(spell, im, s->name));
	}
}

static bool in_image(const struct binder *b, int32_t pid, uint64_t ip)
{
	const struct mapping *m = process_find(b->ps, pid, ip, MODE_USER);

	return m && (m->kind == MAPPED_IMAGE || bound_image_get(b, m));
}

/* Returns the number of ranges in a dump that have had several names. */
static size_t count_reused(const struct jitdump *d)
{
	arena_scope(scratch);
	struct symtab code = { 0 }, shared = { 0 };

	for (size_t i = 0; i < d->n; i++) {
		struct str name = jitdump_name(d, i, &scratch);

		if (!perfmap_is_stub(name))
			symtab_add(&code, &scratch, d->code[i].start, d->code[i].size,
			           name);
	}
	symtab_shared(&code, &shared, &scratch);
	return shared.n;
}

/* Adds the code of a dump in order of time, so that the newest name of an address is used. */
static size_t add_dump(const struct binder *b, struct merge *mg, struct arena *a,
                       const struct bound_map *bm, bool images)
{
	const struct jitdump *d = bm->dump;
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct jit_code *code = &d->code[i];

		if (in_image(b, bm->pid, code->start) != images)
			continue;
		symtab_add(&mg->symbols, a, code->start, code->size,
		           demangle(jitdump_name(d, i, a), b->demangled->how, a));
		n++;
	}
	return n;
}

static size_t add_lines(const struct binder *b, struct merge *mg, struct arena *a,
                        const struct bound_map *bm, bool images)
{
	const struct symtab *t = &bm->map->symbols;
	size_t n = 0;

	for (const struct symbol *s = t->sym; s < t->sym + t->n; s++) {
		if (in_image(b, bm->pid, s->start) != images)
			continue;
		symtab_add(&mg->symbols, a, s->start, s->end - s->start, s->name);
		n++;
	}
	return n;
}

/*
 * Adds the symbols of a map.  If `images` is set, adds only code in images.  Otherwise adds only
 * code outside of images.  A jitdump contains the methods of an image that were called, and a
 * nettrace contains the methods that ran.  These methods are added before the images, because
 * later symbols replace earlier ones, and images have better names.
 */
static void add_map(const struct binder *b, struct merge *mg, struct arena *a,
                    const struct bound_map *bm, bool images)
{
	struct merge_part *part = new_part(mg, a, bm->item->name, 0);

	part->symbols = bm->dump ? add_dump(b, mg, a, bm, images)
	                         : add_lines(b, mg, a, bm, images);
	if (!part->symbols)
		mg->nparts--;
	else if (!images)
		part->reused = bm->dump ? count_reused(bm->dump) : bm->map->shared.n;
}

void merge_process(const struct binder *b, int32_t pid, struct arena *a, struct merge *mg)
{
	const struct bound_map *map = b->maps->map;
	const struct bound_image *image = b->images->image;
	size_t nmaps = b->maps->n, nimages = b->images->n;
	const struct r2rmap_names *spell = r2rmap_names_new(b, pid, a);

	*mg = (struct merge){ 0 };
	for (size_t i = 0; i < nimages; i++)
		if (image[i].m->pid == pid)
			add_whole(mg, a, &image[i]);
	/*
	 * psym prefers the first map.  The loop adds this map last, because later symbols
	 * replace earlier ones.
	 */
	for (size_t i = nmaps; i-- > 0;)
		if (map[i].pid == pid)
			add_map(b, mg, a, &map[i], true);
	for (size_t i = 0; i < nimages; i++)
		if (image[i].m->pid == pid)
			add_image(b, mg, a, spell, &image[i]);
	for (size_t i = nmaps; i-- > 0;)
		if (map[i].pid == pid)
			add_map(b, mg, a, &map[i], false);
	symtab_sort(&mg->symbols, a);
}
