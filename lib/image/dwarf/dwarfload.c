/*
 * DWARF as the cache has it.  Whoever can write there could as well write names, but
 * nothing that stands there leads outside of it.
 */
#include "image/dwarf/dwarfkeep.h"

/* As str_take, copied to where numbers may stand. */
static void *take_copy(struct str *from, uint64_t n, size_t size, struct arena *a)
{
	const char *p = str_take(from, n, size);
	void *copy = p ? arena_alloc(a, n + 1, size) : NULL;

	if (copy && n)
		memcpy(copy, p, n * size);
	return copy;
}

/* Sound, and inside; else none. */
static struct str block_bytes(struct dwarf_kept *k, const struct kept_block *b)
{
	struct str none = { NULL, 0 }, bytes;
	struct cache_sum sum;

	if (b->off > k->bytes.n || b->size > k->bytes.n - b->off)
		return none;
	bytes = (struct str){ k->bytes.p + b->off, b->size };
	if (!k->cache)
		return bytes;
	sum = cache_sum(k->cache, bytes);
	if (sum.a == b->sum.a && sum.b == b->sum.b)
		return bytes;
	k->damaged = true;
	return none;
}

static bool read_name(struct str names, uint32_t off, uint32_t n, struct str *out)
{
	if (off > names.n || n > names.n - off)
		return false;
	*out = n ? (struct str){ names.p + off, n } : (struct str){ 0 };
	return true;
}

/* Ranges, ascending, each of one of `of` things. */
static bool read_ranges(struct str *from, uint64_t n, uint64_t of, struct symtab *to,
                        struct arena *a)
{
	struct kept_range *range = take_copy(from, n, sizeof(*range), a);

	if (!range)
		return false;
	to->sym = arena_new(a, struct symbol, n + 1);
	to->cap = n + 1;
	for (to->n = 0; to->n < n; to->n++) {
		const struct kept_range *r = &range[to->n];

		if (r->end <= r->start || r->of >= of ||
		    (to->n && to->sym[to->n - 1].end > r->start))
			return false;
		to->sym[to->n] = (struct symbol){ .start = r->start,
			                          .end = r->end,
			                          .base = r->of };
	}
	to->sorted = true;
	return true;
}

static bool read_scopes(struct unit *u, const struct kept_scope *from, size_t n,
                        struct str names, struct arena *a)
{
	u->scope = arena_new(a, struct scope, n + 1);
	u->scopes = n;
	u->scopes_cap = n + 1;
	for (size_t i = 0; i < n; i++) {
		struct scope *s = &u->scope[i];

		/* What something is compiled into is said before it. */
		if (from[i].parent > i ||
		    !read_name(names, from[i].name, from[i].name_n, &s->name))
			return false;
		s->parent = from[i].parent;
		s->call_file = from[i].call_file;
		s->call_line = from[i].call_line;
		s->plain = from[i].plain != 0;
		s->named = true;
	}
	return true;
}

static bool read_unit(struct unit *u, struct str block)
{
	struct arena *a = u->d->arena;
	const struct kept_scope *scope;
	uint32_t n[4];
	const char *head = str_take(&block, 1, sizeof(n));

	if (!head)
		return false;
	memcpy(n, head, sizeof(n));
	if (!read_ranges(&block, n[1], n[0], &u->code, a))
		return false;
	scope = take_copy(&block, n[0], sizeof(*scope), a);
	return scope && read_scopes(u, scope, n[0], str_head(block, n[2]), a);
}

bool dwarf_kept_walk(struct unit *u)
{
	struct dwarf *d = u->d;
	const struct kept_unit *k = d->kept ? &d->kept->unit[u - d->unit] : NULL;

	if (!k || !(k->flags & UNIT_WALKED))
		return false;
	if (read_unit(u, block_bytes(d->kept, &k->block)))
		return true;
	u->code = (struct symtab){ 0 };
	u->scope = NULL;
	u->scopes = u->scopes_cap = 0;
	return false;
}

static struct lines *read_lines(struct str block, struct arena *a)
{
	struct lines *l = arena_new(a, struct lines, 1);
	const struct kept_file *file;
	uint32_t n[4];
	const char *head = str_take(&block, 1, sizeof(n));

	if (!head)
		return NULL;
	memcpy(n, head, sizeof(n));
	l->first_file = n[2];
	l->row = take_copy(&block, n[0], sizeof(*l->row), a);
	file = l->row ? take_copy(&block, n[1], sizeof(*file), a) : NULL;
	if (!file)
		return NULL;
	l->n = l->cap = n[0];
	l->file = arena_new(a, struct str, n[1] + 1);
	for (; l->files < n[1]; l->files++)
		if (!read_name(block, file[l->files].name, file[l->files].name_n,
		               &l->file[l->files]))
			return NULL;
	l->files_cap = l->files;
	return l;
}

bool dwarf_kept_lines(struct unit *u)
{
	struct dwarf_kept *k = u->d->kept;
	const struct kept_unit *ku = k ? &k->unit[u - u->d->unit] : NULL;
	uint64_t i;

	if (!ku || !(ku->flags & UNIT_LINES_TRIED))
		return false;
	i = ku->lines;
	if (i && !k->lines[i - 1])
		k->lines[i - 1] =
		        read_lines(block_bytes(k, &k->block[i - 1]), u->d->arena);
	u->lines = i ? k->lines[i - 1] : NULL;
	return !i || u->lines;
}

struct dwarf *dwarf_read_kept(const struct cache *c, struct str entry, struct str front,
                              struct str bytes, struct arena *a)
{
	struct dwarf_kept *k = arena_new(a, struct dwarf_kept, 1);
	struct dwarf *d = arena_new(a, struct dwarf, 1);
	const char *head = str_take(&front, 1, sizeof(struct kept_front));
	struct kept_front f;

	if (!head)
		return NULL;
	memcpy(&f, head, sizeof(f));
	*d = (struct dwarf){ .arena = a, .bytes = bytes, .kept = k, .late = true };
	*k = (struct dwarf_kept){ .cache = c, .bytes = entry, .nlines = f.lines };
	k->unit = take_copy(&front, f.units, sizeof(*k->unit), a);
	k->block = k->unit ? take_copy(&front, f.lines, sizeof(*k->block), a) : NULL;
	if (!k->block || !read_ranges(&front, f.ranges, f.units, &d->code, a))
		return NULL;
	k->lines = arena_new(a, struct lines *, f.lines + 1);
	d->unit = arena_new(a, struct unit, f.units + 1);
	d->units = f.units;
	d->units_cap = f.units + 1;
	d->rest_placed = f.flags & REST_PLACED;
	for (size_t i = 0; i < d->units; i++) {
		d->unit[i] =
		        (struct unit){ .d = d, .placed = k->unit[i].flags & UNIT_PLACED };
		if (k->unit[i].lines > f.lines)
			return NULL;
	}
	return d;
}

struct dwarf *dwarf_load(struct cache *c, struct cache_sum of, struct str bytes,
                         struct arena *a)
{
	struct cache_name name = { 'd', of };
	struct cache_entry e;
	struct dwarf *d;

	if (!cache_load(c, &name, &e))
		return NULL;
	d = dwarf_read_kept(c, e.map, e.front, bytes, a);
	if (d)
		d->kept->entry = e;
	else
		cache_unload(&e);
	return d;
}

void dwarf_unload(struct dwarf *d)
{
	if (d && d->kept)
		cache_unload(&d->kept->entry);
}
