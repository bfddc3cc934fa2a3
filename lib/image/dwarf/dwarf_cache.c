/*
 * Of an entry, the front:
 *
 *	units  tables of lines  ranges  flags
 *	block: off  size  checksum, 2 numbers;  lines + 1  flags        (each unit)
 *	block: off  size  checksum, 2 numbers                           (each table)
 *	start  end  unit                                                (each range)
 *
 * and behind it the blocks.  That of a unit:
 *
 *	scopes  ranges  bytes of names  0                               (32 bits each)
 *	start  end  scope                                               (each range)
 *	parent  call file  call line  name off  bytes  plain, 32 bits   (each scope)
 *	names
 *
 * and of a table of lines:
 *
 *	rows  files  number of the first file  bytes of names           (32 bits each)
 *	va, 64 bits  file  line                                         (each row)
 *	off  bytes                                                      (each file)
 *	names
 *
 * A block is checked when it is first asked for.  Whoever can write into the cache could
 * write other names there, but nothing that stands there leads outside of it.
 */
#include "image/dwarf/dwarf_cache.h"

#include "image/dwarf/dwarf_scopes.h"

enum {
	INFO_AT_LEAST = 32 << 10, /* bytes: less is read as fast from the file */
	NEWS_SHARE = 16,          /* of an entry: less that is new is read again */
};

enum { UNIT_WALKED = 1, UNIT_PLACED = 2, UNIT_LINES_TRIED = 4 };
enum { REST_PLACED = 1 };

struct kept_block {
	uint64_t off, size;
	struct cache_sum sum;
};

struct kept_unit {
	struct kept_block block;
	uint64_t lines, flags;
};

struct kept_range {
	uint64_t start, end, of;
};

struct kept_scope {
	uint32_t parent, call_file, call_line, name, name_n, plain;
};

struct kept_file {
	uint32_t name, name_n;
};

struct kept_front {
	uint64_t units, lines, ranges, flags;
};

/* The state behind struct dwarf's kept. */
struct dwarf_cache {
	const struct cache *cache; /* NULL: checksums are not looked at */
	struct cache_entry entry;  /* mapped; else empty */
	struct str bytes;          /* all of the entry */
	struct kept_unit *unit;
	struct kept_block *block; /* of tables of lines */
	struct lines **lines;     /* read from them, or NULL */
	size_t nlines;
	bool damaged; /* some block was */
};

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
static struct str block_bytes(struct dwarf_cache *k, const struct kept_block *b)
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

bool dwarf_cache_scopes(struct unit *u)
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
	l->n = n[0];
	l->file = arena_new(a, struct str, n[1] + 1);
	for (; l->files < n[1]; l->files++)
		if (!read_name(block, file[l->files].name, file[l->files].name_n,
		               &l->file[l->files]))
			return NULL;
	return l;
}

bool dwarf_cache_lines(struct unit *u)
{
	struct dwarf_cache *k = u->d->kept;
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

struct dwarf *dwarf_cache_read(const struct cache *c, struct str entry, struct str front,
                               struct str bytes, struct arena *a)
{
	struct dwarf_cache *k = arena_new(a, struct dwarf_cache, 1);
	struct dwarf *d = arena_new(a, struct dwarf, 1);
	const char *head = str_take(&front, 1, sizeof(struct kept_front));
	struct kept_front f;

	if (!head)
		return NULL;
	memcpy(&f, head, sizeof(f));
	*d = (struct dwarf){ .arena = a, .bytes = bytes, .kept = k, .late = true };
	*k = (struct dwarf_cache){ .cache = c, .bytes = entry, .nlines = f.lines };
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

struct dwarf *dwarf_cache_load(struct cache *c, struct cache_sum of, struct str bytes,
                               struct arena *a)
{
	struct cache_name name = { 'd', of };
	struct cache_entry e;
	struct dwarf *d;

	if (!cache_load(c, &name, &e))
		return NULL;
	d = dwarf_cache_read(c, e.map, e.front, bytes, a);
	if (d)
		d->kept->entry = e;
	else
		cache_unload(&e);
	return d;
}

void dwarf_cache_unload(struct dwarf *d)
{
	if (d && d->kept)
		cache_unload(&d->kept->entry);
}

/* An entry that is being made: blocks one behind the other, and what lists them. */
struct making {
	struct dwarf *d;
	struct arena arena;
	char *p;
	size_t n, cap;
	uint64_t news; /* bytes that no entry had before */
	struct kept_unit *unit;
	struct kept_block *block;
	size_t nlines, lines_cap;
	struct table lines_of; /* of a table that was read from the file -> block + 1 */
	const struct cache *cache;
};

static char *room(struct making *m, size_t n)
{
	m->p = arena_grow(&m->arena, m->p, &m->cap, m->n + n, 1);
	m->n += n;
	return m->p + m->n - n;
}

/* Blocks begin where numbers may stand. */
static size_t begin_block(struct making *m)
{
	room(m, -m->n & 7);
	return m->n;
}

static struct kept_block end_block(struct making *m, size_t at)
{
	struct str bytes = { m->p + at, m->n - at };

	return (struct kept_block){ at, bytes.n, cache_sum(m->cache, bytes) };
}

static struct kept_block copy_block(struct making *m, const struct kept_block *b)
{
	const struct str *from = &m->d->kept->bytes;
	size_t at = begin_block(m);

	if (b->off > from->n || b->size > from->n - b->off)
		return (struct kept_block){ 0 };
	if (b->size)
		memcpy(room(m, b->size), from->p + b->off, b->size);
	return (struct kept_block){ at, b->size, b->sum };
}

/* Where a name will stand among a block's names, of which there are *n bytes. */
static void count_name(struct str name, uint32_t *off, uint32_t *bytes, uint32_t *n)
{
	*off = *n;
	*bytes = (uint32_t)name.n;
	*n += *bytes;
}

static void put_name(struct making *m, struct str name)
{
	char *to = room(m, name.n);

	if (name.n)
		memcpy(to, name.p, name.n);
}

static struct kept_block make_unit(struct making *m, struct unit *u)
{
	uint32_t n[4] = { (uint32_t)u->scopes, (uint32_t)u->code.n, 0, 0 };
	size_t at = begin_block(m);

	room(m, sizeof(n));
	for (size_t i = 0; i < u->code.n; i++) {
		const struct symbol *s = &u->code.sym[i];
		struct kept_range r = { s->start, s->end, s->base };

		memcpy(room(m, sizeof(r)), &r, sizeof(r));
	}
	for (size_t i = 0; i < u->scopes; i++) {
		struct scope *s = &u->scope[i];
		struct kept_scope k = { .parent = s->parent,
			                .call_file = s->call_file,
			                .call_line = s->call_line };

		count_name(dwarf_scopes_name(u, s), &k.name, &k.name_n, &n[2]);
		k.plain = s->plain;
		memcpy(room(m, sizeof(k)), &k, sizeof(k));
	}
	for (size_t i = 0; i < u->scopes; i++)
		put_name(m, u->scope[i].name);
	memcpy(m->p + at, n, sizeof(n));
	m->news += m->n - at;
	return end_block(m, at);
}

static struct kept_block make_lines(struct making *m, const struct lines *l)
{
	uint32_t n[4] = { (uint32_t)l->n, (uint32_t)l->files, l->first_file, 0 };
	size_t at = begin_block(m);

	room(m, sizeof(n));
	if (l->n)
		memcpy(room(m, l->n * sizeof(*l->row)), l->row, l->n * sizeof(*l->row));
	for (size_t i = 0; i < l->files; i++) {
		struct kept_file k;

		count_name(l->file[i], &k.name, &k.name_n, &n[3]);
		memcpy(room(m, sizeof(k)), &k, sizeof(k));
	}
	for (size_t i = 0; i < l->files; i++)
		put_name(m, l->file[i]);
	memcpy(m->p + at, n, sizeof(n));
	m->news += m->n - at;
	return end_block(m, at);
}

static struct kept_block *add_lines(struct making *m)
{
	m->block = arena_grow(&m->arena, m->block, &m->lines_cap, m->nlines + 1,
	                      sizeof(*m->block));
	return &m->block[m->nlines++];
}

/* The tables that the cache has keep their numbers. */
static void copy_lines(struct making *m)
{
	const struct dwarf_cache *k = m->d->kept;

	for (size_t i = 0; k && i < k->nlines; i++) {
		struct kept_block *to = add_lines(m);

		*to = copy_block(m, &k->block[i]);
		if (k->lines[i])
			*table_at(&m->lines_of, &m->arena, (uintptr_t)k->lines[i], 0) =
			        (uint32_t)m->nlines;
	}
}

static uint32_t lines_number(struct making *m, const struct lines *l)
{
	uint32_t *at = table_at(&m->lines_of, &m->arena, (uintptr_t)l, 0);

	if (!*at) {
		struct kept_block b = make_lines(m, l);

		*add_lines(m) = b;
		*at = (uint32_t)m->nlines;
	}
	return *at;
}

static struct kept_unit make_entry_of(struct making *m, size_t i)
{
	const struct kept_unit *k = m->d->kept ? &m->d->kept->unit[i] : NULL;
	struct unit *u = &m->d->unit[i];
	struct kept_unit out = { .flags = u->placed ? UNIT_PLACED : 0 };

	if (u->fresh)
		out.block = make_unit(m, u);
	else if (k && k->flags & UNIT_WALKED)
		out.block = copy_block(m, &k->block);
	if (u->fresh || (k && k->flags & UNIT_WALKED))
		out.flags |= UNIT_WALKED;
	if (u->lines_tried)
		out.lines = u->lines ? lines_number(m, u->lines) : 0;
	else if (k)
		out.lines = k->lines;
	if (u->lines_tried || (k && k->flags & UNIT_LINES_TRIED))
		out.flags |= UNIT_LINES_TRIED;
	return out;
}

static size_t front_bytes(const struct making *m)
{
	return sizeof(struct kept_front) + m->d->units * sizeof(struct kept_unit) +
	       m->nlines * sizeof(struct kept_block) +
	       m->d->code.n * sizeof(struct kept_range);
}

static void add_bytes(char **to, const void *p, size_t n)
{
	if (n)
		memcpy(*to, p, n);
	*to += n;
}

/* Blocks lie behind it, and where is only known now. */
static struct str make_front(struct making *m, uint64_t base)
{
	const struct dwarf *d = m->d;
	struct kept_front f = { d->units, m->nlines, d->code.n,
		                d->rest_placed ? REST_PLACED : 0 };
	char *front = arena_new(&m->arena, char, front_bytes(m)), *to = front;

	for (size_t i = 0; i < d->units; i++)
		m->unit[i].block.off += base;
	for (size_t i = 0; i < m->nlines; i++)
		m->block[i].off += base;
	add_bytes(&to, &f, sizeof(f));
	add_bytes(&to, m->unit, d->units * sizeof(*m->unit));
	add_bytes(&to, m->block, m->nlines * sizeof(*m->block));
	for (size_t i = 0; i < d->code.n; i++) {
		const struct symbol *s = &d->code.sym[i];
		struct kept_range r = { s->start, s->end, s->base };

		add_bytes(&to, &r, sizeof(r));
	}
	return (struct str){ front, (size_t)(to - front) };
}

static bool is_split(const struct dwarf *d)
{
	for (size_t i = 0; i < d->units; i++)
		if (d->unit[i].is_skeleton)
			return true;
	return d->sections.split;
}

/* Sections that are packed cost more to read than the units that were lacking. */
static bool is_packed(const struct dwarf *d)
{
	const char *p = d->sections.at[DW_INFO].p;

	return p < d->bytes.p || p >= d->bytes.p + d->bytes.n;
}

/* What lies was given up somewhere, and is not the same each time. */
static bool is_whole(const struct dwarf *d)
{
	return d->work && (!d->alt || d->alt->work);
}

/* An entry as dwarf.h has it, and how many of its bytes are new. */
static struct str write_entry(struct dwarf *d, const struct cache *c, struct str *front,
                              uint64_t *news, struct arena *a)
{
	struct making m = { .d = d, .cache = c };
	struct str made, entry;
	uint64_t base;
	char *to;

	m.unit = arena_new(&m.arena, struct kept_unit, d->units + 1);
	copy_lines(&m);
	for (size_t i = 0; i < d->units; i++)
		m.unit[i] = make_entry_of(&m, i);
	base = (CACHE_HEAD + front_bytes(&m) + 7) & ~(uint64_t)7;
	made = make_front(&m, base);
	entry = (struct str){ to = arena_alloc(a, base + m.n, 1), base + m.n };
	memcpy(to + CACHE_HEAD, made.p, made.n);
	if (m.n)
		memcpy(to + base, m.p, m.n);
	*front = (struct str){ to + CACHE_HEAD, made.n };
	*news = m.news;
	arena_release(&m.arena);
	return entry;
}

struct str dwarf_cache_write(struct dwarf *d, const struct cache *c, struct str *front,
                             struct arena *a)
{
	uint64_t news;

	return write_entry(d, c, front, &news, a);
}

/* What is there and good need not be written again for a little more. */
static bool is_worth(const struct dwarf *d, uint64_t news)
{
	return !d->kept || d->kept->damaged || is_packed(d) ||
	       news * NEWS_SHARE >= d->kept->bytes.n;
}

void dwarf_cache_keep(struct dwarf *d, struct cache *c, struct cache_sum of)
{
	struct cache_name name = { 'd', of };
	struct arena scratch = { 0 };
	struct cache_writing w;
	struct str entry, front;
	uint64_t news;

	if (!cache_is_open(c) || !d->changed || d->late || !d->code.sorted ||
	    is_split(d) || !is_whole(d) || d->sections.at[DW_INFO].n < INFO_AT_LEAST)
		return;
	entry = write_entry(d, c, &front, &news, &scratch);
	if (is_whole(d) && is_worth(d, news)) {
		cache_begin(c, &w);
		cache_put(&w, front.p, entry.n - CACHE_HEAD);
		cache_end(&w, &name, front);
	}
	arena_release(&scratch);
}
