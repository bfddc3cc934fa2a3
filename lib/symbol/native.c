/*
 * ELF files name the code that was compiled before it ran.  A mapping's build-id says
 * which file it is; without one the file must be called so and have a segment of just
 * the mapping's length, and that is said.  Names of stripped files are in a debug
 * file, which must have the same build-id.
 */
#include "symbol/binder.h"
#include "symbol/demangle.h"

/* What one mapping looks for. */
struct search {
	struct binder *b;
	const struct mapping *m;
	struct str path;
	struct item *other; /* called so, and not it */
	const char *why;
};

/* perf before 6 pads short ids with zeros. */
static bool same_id(struct str a, struct str b)
{
	struct str s = a.n < b.n ? a : b, l = a.n < b.n ? b : a;

	if (!s.n || !str_starts(l, s))
		return false;
	for (size_t i = s.n; i < l.n; i++)
		if (l.p[i])
			return false;
	return true;
}

/* Ids that are equal have equal beginnings. */
static uint64_t id_start(struct str id)
{
	uint64_t start = 0;

	if (id.n)
		memcpy(&start, id.p, id.n < sizeof(start) ? id.n : sizeof(start));
	return start;
}

static void index_ids(struct binder *b)
{
	struct natives *nt = &b->natives;
	struct locator *l = b->locator;

	if (nt->indexed)
		return;
	nt->indexed = true;
	nt->same_start = arena_new(b->run, uint32_t, l->n + 1);
	for (size_t i = l->n; i-- > 0;) {
		const struct elf *e = locate_elf(l, &l->item[i]);
		uint32_t *at;

		if (!e || !e->build_id.n)
			continue;
		at = table_at(&nt->by_id, b->run, id_start(e->build_id), 0);
		nt->same_start[i] = *at;
		*at = (uint32_t)i + 1;
	}
}

/* By build-id among all files: with code, or else with symbols. */
static struct item *find_by_id(struct binder *b, struct str id, bool code)
{
	struct locator *l = b->locator;
	uint32_t i;

	if (!id.n)
		return NULL;
	index_ids(b);
	i = table_get(&b->natives.by_id, id_start(id), 0);
	for (int tried = 0; i && tried < SAME_NAME; tried++) {
		struct item *it = &l->item[i - 1];
		const struct elf *e = locate_elf(l, it);

		if (same_id(e->build_id, id) && (code ? !e->bare : e->has_symtab))
			return it;
		i = b->natives.same_start[i - 1];
	}
	return NULL;
}

/* NULL, or why it is not what is mapped. */
static const char *differs(const struct search *s, const struct elf *e)
{
	const struct mapping *m = s->m;
	uint64_t shift;

	if (m->build_id.n)
		return same_id(e->build_id, m->build_id)
		               ? NULL
		               : "it has another build-id than what ran";
	if (!elf_place(e, m->first - m->bias, m->last - m->first, true, &shift))
		return "its code has another length than what ran";
	return NULL;
}

/* The one of that name whose path agrees longest. */
static struct item *find_image(struct search *s)
{
	struct locator *l = s->b->locator;
	struct item *it = locate_base(l, s->path), *best = NULL;
	size_t most = 0;

	for (int tried = 0; it && tried < SAME_NAME; tried++, it = locate_next(l, it)) {
		size_t parts = locate_common_parts(it->name, s->path);
		const struct elf *e = it->kind == ITEM_ELF ? locate_elf(l, it) : NULL;
		const char *why;

		if (!e || e->bare || parts <= most)
			continue;
		why = differs(s, e);
		if (why) {
			s->why = why;
			s->other = it;
			continue;
		}
		most = parts;
		best = it;
	}
	return best;
}

/* A file of that name with the symbols of that build. */
static struct item *symbols_called(struct binder *b, struct str name, struct str id)
{
	struct item *it = name.n ? locate_base(b->locator, name) : NULL;

	for (int tried = 0; it && tried < SAME_NAME; tried++) {
		const struct elf *e =
		        it->kind == ITEM_ELF ? locate_elf(b->locator, it) : NULL;

		if (e && e->has_symtab && same_id(e->build_id, id))
			return it;
		it = locate_next(b->locator, it);
	}
	return NULL;
}

/* ".build-id/43/afdc3d...816a11.debug": the last part of it. */
static struct str build_id_file(struct str id, struct arena *a)
{
	struct str name = { "", 0 };

	for (size_t i = 1; i < id.n && i < 64; i++)
		name = arena_fmt(a, PRSTR "%02x", STRARG(name), (unsigned char)id.p[i]);
	return name.n ? arena_fmt(a, PRSTR ".debug", STRARG(name)) : name;
}

static struct item *find_debug(struct search *s, struct str id, struct str link)
{
	struct arena scratch = { 0 };
	struct str base = str_base(s->path);
	const struct str names[] = {
		str_base(link),
		build_id_file(id, &scratch),
		arena_fmt(&scratch, PRSTR ".debug", STRARG(base)),
		arena_fmt(&scratch, PRSTR ".dbg", STRARG(base)),
		base,
	};
	struct item *found = NULL;

	for (size_t i = 0; id.n && i < sizeof(names) / sizeof(*names) && !found; i++)
		found = symbols_called(s->b, names[i], id);
	arena_release(&scratch);
	return found;
}

static uint32_t native_of(struct binder *b, struct item *image, struct item *debug)
{
	struct natives *nt = &b->natives;
	const struct item *first = b->locator->item;
	uint32_t *at =
	        table_at(&nt->by_items, b->run, image ? (uint64_t)(image - first) + 1 : 0,
	                 debug ? (uint64_t)(debug - first) + 1 : 0);

	if (!*at) {
		nt->native = arena_grow(b->run, nt->native, &nt->cap, nt->n + 1,
		                        sizeof(*nt->native));
		nt->native[nt->n++] = (struct native){ .image = image, .debug = debug };
		*at = (uint32_t)nt->n;
	}
	return *at - 1;
}

static void remark(struct binder *b, struct native_remark *r, const struct item *it,
                   const char *why)
{
	uint32_t *at =
	        table_at(&b->natives.said, b->run, (uint64_t)(it - b->locator->item), 0);

	if (*at)
		return;
	*at = 1;
	if (!r->n++) {
		r->first = it;
		r->why = why;
	}
}

/* False: no file names this mapping. */
static bool find_files(struct search *s, struct item **image, struct item **debug)
{
	struct binder *b = s->b;
	struct str id = s->m->build_id, link = { 0 };
	const struct elf *e;

	*image = find_image(s);
	*debug = NULL;
	e = *image ? locate_elf(b->locator, *image) : NULL;
	if (e) {
		id = e->build_id;
		link = e->debug_link;
	}
	if (!e || !e->has_symtab)
		*debug = find_debug(s, id, link);
	if (!*image && !*debug) {
		*image = find_by_id(b, id, true);
		e = *image ? locate_elf(b->locator, *image) : NULL;
		if (!e || !e->has_symtab)
			*debug = find_by_id(b, id, false);
	}
	return *image || *debug;
}

static bool is_native(struct str path)
{
	return path.n && path.p[0] != '[' && !str_ends(path, STR(".dll"));
}

/* The place of m; NULL: no file names it. */
static const struct native_place *place_of(struct binder *b, const struct mapping *m)
{
	struct natives *nt = &b->natives;
	uint32_t *at = table_at(&nt->place_of, b->run, m->id, 0);
	struct search s = { .b = b,
		            .m = m,
		            .path = intern_str(b->locator->names, m->path) };
	struct item *image, *debug, *where;
	uint64_t shift;

	if (*at)
		return *at > 1 ? &nt->place[*at - 2] : NULL;
	*at = 1;
	if (!is_native(s.path))
		return NULL;
	if (!find_files(&s, &image, &debug)) {
		if (s.other)
			remark(b, &nt->refused, s.other, s.why);
		return NULL;
	}
	where = image ? image : debug;
	if (!elf_place(locate_elf(b->locator, where), m->first - m->bias,
	               m->last - m->first, false, &shift))
		return NULL;
	if (!m->build_id.n)
		remark(b, &nt->unverified, where, NULL);
	where->placed = true;
	nt->place = arena_grow(b->run, nt->place, &nt->places_cap, nt->nplaces + 1,
	                       sizeof(*nt->place));
	nt->place[nt->nplaces++] =
	        (struct native_place){ native_of(b, image, debug), shift };
	*at = (uint32_t)nt->nplaces + 1;
	return &nt->place[nt->nplaces - 1];
}

/* Demangled, once for each distinct name; names stay where they are in the file. */
static struct str plain_name(void *ctx, struct str name)
{
	struct binder *b = ctx;
	struct natives *nt = &b->natives;
	uint32_t *at = table_at(&nt->plain_of, b->run, (uintptr_t)name.p, name.n);

	if (!*at) {
		nt->plain = arena_grow(b->run, nt->plain, &nt->plain_cap, nt->nplain + 1,
		                       sizeof(*nt->plain));
		nt->plain[nt->nplain++] = demangle(name, b->run);
		*at = (uint32_t)nt->nplain;
	}
	return nt->plain[*at - 1];
}

/* The symbols of the debug file first, as perf reads them. */
static void read_symbols(struct binder *b, struct native *n)
{
	struct elf_spelling sp = { plain_name, b };
	const struct elf *e[2];
	size_t files = 0;

	if (n->read)
		return;
	n->read = true;
	if (n->debug)
		e[files++] = locate_elf(b->locator, n->debug);
	if (n->image)
		e[files++] = locate_elf(b->locator, n->image);
	elf_symbols(e, files, &sp, &n->symbols, b->run);
}

bool bind_find_native(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                      struct bound_name *out)
{
	const struct native_place *at = place_of(b, m);
	const struct symbol *sym;
	uint64_t va;

	if (!at)
		return false;
	va = ip - m->bias + at->shift;
	read_symbols(b, &b->natives.native[at->native]);
	sym = symtab_find(&b->natives.native[at->native].symbols, caller ? va - 1 : va);
	if (!sym)
		return false;
	out->func = plain_name(b, sym->name);
	out->off = va - sym->base;
	return true;
}

void bind_report_native(const struct binder *b)
{
	const struct native_remark *r = &b->natives.refused;
	const struct native_remark *u = &b->natives.unverified;

	if (r->n == 1)
		diag_note(b->diag, PRSTR ": not used: %s", STRARG(r->first->name),
		          r->why);
	else if (r->n)
		diag_note(b->diag, "%zu ELF files not used; " PRSTR ": %s", r->n,
		          STRARG(r->first->name), r->why);
	if (u->n)
		diag_note(b->diag,
		          "%zu ELF files taken by name alone, as nothing says what "
		          "build ran: " PRSTR "%s",
		          u->n, STRARG(u->first->name), u->n > 1 ? ", ..." : "");
}
