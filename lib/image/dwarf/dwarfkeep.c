/*
 * Writing what was read of DWARF into the cache: blocks that it has are copied, and those
 * of what was read since are made.
 */
#include "image/dwarf/dwarfkeep.h"

enum {
	INFO_AT_LEAST = 32 << 10, /* bytes: less is read as fast from the file */
	NEWS_SHARE = 16,          /* of an entry: less that is new is read again */
};

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

		count_name(dwarf_scope_name(u, s), &k.name, &k.name_n, &n[2]);
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
	const struct dwarf_kept *k = m->d->kept;

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
		if (d->unit[i].dwo_name.form || d->unit[i].skeleton)
			return true;
	return d->split;
}

/* Sections that are packed cost more to read than the units that were lacking. */
static bool is_packed(const struct dwarf *d)
{
	const char *p = d->section[DW_INFO].p;

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

struct str dwarf_write_kept(struct dwarf *d, const struct cache *c, struct str *front,
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

void dwarf_keep(struct dwarf *d, struct cache *c, struct cache_sum of)
{
	struct cache_name name = { 'd', of };
	struct arena scratch = { 0 };
	struct cache_writing w;
	struct str entry, front;
	uint64_t news;

	if (!cache_is_open(c) || !d->changed || d->late || !d->code.sorted ||
	    is_split(d) || !is_whole(d) || d->section[DW_INFO].n < INFO_AT_LEAST)
		return;
	entry = write_entry(d, c, &front, &news, &scratch);
	if (is_whole(d) && is_worth(d, news)) {
		cache_begin(c, &w);
		cache_put(&w, front.p, entry.n - CACHE_HEAD);
		cache_end(&w, &name, front);
	}
	arena_release(&scratch);
}
