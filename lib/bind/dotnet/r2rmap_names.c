#include "bind/dotnet/r2rmap_names.h"

#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/dotnet/bound_image.h"
#include "bind/dotnet/clr_spelling.h"

/* A method that was compiled at run time, from a perf map or jitdump. */
struct jitted {
	struct str name; /* in the runtime's spelling, without the tier */
	struct str line; /* in the spelling of crossgen2 */
	bool several;    /* another method has the same line */
};

/* The JIT-compiled methods of a process, from assemblies that only an r2rmap names. */
struct r2rmap_names {
	struct arena *a;
	struct interner *names;
	struct r2rmap_names *next; /* next element of a list, for another process */
	struct table images;       /* set of assembly ids */
	/* (hash of line, assembly) -> index of the jitted method + 1 */
	struct table jitted_of;
	struct jitted *jitted;
	size_t n, cap;
	/* (hash of line, mapping id of the image) -> number of lines with that hash, at most 2 */
	struct table lines;
	int32_t pid;
};

static bool is_map_alone(const struct bound_image *im)
{
	return im->map && im->map->has_signature && !im->image;
}

static str_id assembly_of(const struct r2rmap_names *r, const struct bound_image *im)
{
	return intern(r->names, perfmap_image(im->item->name));
}

static void learn_name(struct r2rmap_names *r, struct str name)
{
	struct str assembly = clr_spelling_assembly(name), line;
	str_id id = assembly.n ? intern(r->names, assembly) : 0;
	struct jitted *j;
	uint32_t *at;

	if (!id || !table_get(&r->images, id, 0) ||
	    !clr_spelling_convert(name, r->a, &line))
		return;
	name = clr_spelling_untiered(name);
	at = table_at(&r->jitted_of, r->a, hash_str(line), id);
	if (*at) {
		j = &r->jitted[*at - 1];
		j->several |= !str_eq(j->name, name);
		return;
	}
	*arena_push(r->a, r->jitted, r->n, r->cap) = (struct jitted){ name, line, false };
	*at = (uint32_t)r->n;
}

static void learn_map(struct r2rmap_names *r, const struct bound_map *bm)
{
	for (size_t i = 0; bm->map && i < bm->map->symbols.n; i++)
		learn_name(r, bm->map->symbols.sym[i].name);
	for (size_t i = 0; bm->dump && i < bm->dump->n; i++)
		learn_name(r, jitdump_name(bm->dump, i, r->a));
}

/*
 * Counts how often each line of the map occurs, if the runtime's spelling of the line is known.
 * Only lines that occur once are converted.
 */
static void count_lines(struct r2rmap_names *r, const struct bound_image *im)
{
	const struct symtab *t = &im->map->symbols;
	str_id id = assembly_of(r, im);

	for (size_t i = 0; i < t->n; i++) {
		uint64_t hash = hash_str(t->sym[i].name);
		uint32_t *times;

		if (!table_get(&r->jitted_of, hash, id))
			continue;
		times = table_at(&r->lines, r->a, hash, im->m->id);
		*times += *times < 2;
	}
}

struct r2rmap_names *r2rmap_names_new(const struct binder *b, int32_t pid,
                                      struct arena *a)
{
	struct r2rmap_names *r = arena_new(a, struct r2rmap_names, 1);

	*r = (struct r2rmap_names){ .a = a, .names = b->locator->names, .pid = pid };
	for (size_t i = 0; i < b->images->n; i++)
		if (b->images->image[i].m->pid == pid &&
		    is_map_alone(&b->images->image[i]))
			*table_at(&r->images, a, assembly_of(r, &b->images->image[i]),
			          0) = 1;
	for (size_t i = 0; i < b->maps->n && r->images.n; i++)
		if (b->maps->map[i].pid == pid)
			learn_map(r, &b->maps->map[i]);
	for (size_t i = 0; i < b->images->n && r->n; i++)
		if (b->images->image[i].m->pid == pid &&
		    is_map_alone(&b->images->image[i]))
			count_lines(r, &b->images->image[i]);
	return r;
}

struct str r2rmap_names_respell(const struct r2rmap_names *r,
                                const struct bound_image *im, struct str name)
{
	uint64_t hash = hash_str(name);
	const struct jitted *j;
	uint32_t at;

	if (!r->n || !is_map_alone(im))
		return name;
	at = table_get(&r->jitted_of, hash, assembly_of(r, im));
	j = at ? &r->jitted[at - 1] : NULL;
	return j && !j->several && str_eq(j->line, name) &&
	                       table_get(&r->lines, hash, im->m->id) == 1
	               ? j->name
	               : name;
}

struct str r2rmap_names_frame(const struct binder *b, const struct bound_image *im,
                              struct str name)
{
	struct r2rmap_names *r = b->images->r2rmap_names;

	if (!is_map_alone(im))
		return name;
	while (r && r->pid != im->m->pid)
		r = r->next;
	if (!r) {
		r = r2rmap_names_new(b, im->m->pid, b->run);
		r->next = b->images->r2rmap_names;
		b->images->r2rmap_names = r;
	}
	return r2rmap_names_respell(r, im, name);
}
