/*
 * The front is the first part of an entry.  The cache checks the front when it loads an entry:
 *
 * 	units  ranges  flags
 * 	block: off  size  checksum, 2 numbers;  flags         (each unit)
 * 	start  end  unit                                                (each range)
 *
 * A block for each unit follows the front:
 *
 * 	scopes  ranges  rows  files  number of the first file  0        (32 bits each)
 * 	start  end  scope                                             (each range)
 * 	va, 64 bits  file  line                           (each row)
 * 	parent  call file  call line  plain, 32 bits            (each scope)
 * 	name off  bytes  scoped name off  bytes           (the same scope)
 * 	path off  bytes  line                               (the same scope)
 * 	off  bytes                                                  (each file)
 * 	names
 *
 * If a later run reads more units, this run adds another part, with a block for each unit.  If
 * a unit has several blocks, the first block that is not empty is used.
 *
 * A block is checked on first use.  A malicious program could write false names to the cache, but
 * it cannot make this program read outside of an entry.
 */
#include "image/dwarf/dwarf_cache.h"

#include "base/buffer.h"
#include "cache/order.h"
#include "image/dwarf/dwarf_names.h"

enum {
	/*
	 * minimum size of .debug_info in bytes.  Reading a smaller section is as fast as
	 * reading a cache entry
	 */
	INFO_AT_LEAST = 32 << 10,
	/* a part is added if its new bytes are at least 1/16 of the last part */
	NEWS_SHARE = 16,
	/*
	 * maximum size of an entry, as a multiple of the size of the file.  An entry may be
	 * larger than the file, because units may share lines
	 */
	MOST_PER_BYTE = 8,
};

enum { UNIT_WALKED = 1, UNIT_PLACED = 2, UNIT_LINES_TRIED = 4, UNIT_LINES = 8 };
enum { REST_PLACED = 1 };

struct kept_unit {
	uint64_t off, size;
	struct cache_sum sum;
	uint64_t flags;
};

struct kept_range {
	uint64_t start, end, of;
};

struct kept_name {
	uint32_t off, n;
};

struct kept_scope {
	uint32_t parent, call_file, call_line, plain;
	struct kept_name name, scoped, path;
	uint32_t line, zero;
};

struct kept_front {
	uint64_t units, ranges, flags;
};

struct kept_head {
	uint32_t scopes, ranges, rows, files, first_file, zero;
};

struct kept_part {
	struct cache_entry entry; /* mapped, or empty */
	struct str bytes;         /* content of the entry */
	struct kept_unit *unit;
	bool damaged; /* a block was damaged */
};

struct dwarf_cache {
	/* used to verify checksums, or NULL if they are not verified */
	const struct cache *cache;
	struct kept_part part[CACHE_PARTS];
	unsigned parts;
	/* ranges were added for the units with no ranges in their root entry */
	bool rest_placed;
};

/* Takes n elements from *from, like str_take, and returns an aligned copy. */
static void *take_copy(struct str *from, uint64_t n, size_t size, struct arena *a)
{
	const char *p = str_take(from, n, size);
	void *copy = p ? arena_alloc(a, n + 1, size) : NULL;

	if (copy && n)
		memcpy(copy, p, n * size);
	return copy;
}

/* Returns the block of a unit, or an empty string if the entry is truncated. */
static struct str block_of(const struct kept_part *k, const struct kept_unit *u)
{
	bool inside = u->off <= k->bytes.n && u->size <= k->bytes.n - u->off;

	return inside ? (struct str){ k->bytes.p + u->off, u->size } : (struct str){ 0 };
}

/* Returns the first undamaged part that contains a block of the unit, or NULL. */
static struct kept_part *part_of(const struct unit *u)
{
	struct dwarf_cache *k = u->d->kept;
	size_t i = (size_t)(u - u->d->unit);

	for (unsigned p = 0; k && !u->is_split && p < k->parts; p++)
		if (!k->part[p].damaged &&
		    k->part[p].unit[i].flags & (UNIT_WALKED | UNIT_LINES_TRIED))
			return &k->part[p];
	return NULL;
}

static bool take_name(struct str names, struct kept_name name, struct str *out)
{
	if (name.off > names.n || name.n > names.n - name.off)
		return false;
	*out = name.n ? (struct str){ names.p + name.off, name.n } : (struct str){ 0 };
	return true;
}

/*
 * Takes n ascending ranges.  Each range contains the index of a unit or scope.  Returns false if
 * an index is not less than `of`.
 */
static bool take_ranges(struct str *from, uint64_t n, uint64_t of, struct symtab *to,
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

static bool take_names(struct unit *u, struct lines *l, const struct kept_head *h,
                       const struct kept_scope *scope, const struct kept_name *file,
                       struct str names)
{
	u->scope = arena_new(u->d->arena, struct scope, h->scopes + 1);
	for (u->scopes = 0; u->scopes < h->scopes; u->scopes++) {
		const struct kept_scope *k = &scope[u->scopes];
		struct scope *s = &u->scope[u->scopes];

		*s = (struct scope){ .parent = k->parent,
			             .call_file = k->call_file,
			             .call_line = k->call_line,
			             .named = true,
			             .plain = k->plain != 0,
			             .line = k->line };
		/* A parent precedes its children, so a greater index is damage. */
		if (k->parent > u->scopes || !take_name(names, k->name, &s->name) ||
		    !take_name(names, k->scoped, &s->scoped) ||
		    !take_name(names, k->path, &s->path))
			return false;
	}
	l->file = arena_new(u->d->arena, struct str, h->files + 1);
	for (; l->files < h->files; l->files++)
		if (!take_name(names, file[l->files], &l->file[l->files]))
			return false;
	return true;
}

static bool take_block(struct unit *u, struct lines *l, struct str block)
{
	struct arena *a = u->d->arena;
	const struct kept_scope *scope;
	const struct kept_name *file;
	const char *head = str_take(&block, 1, sizeof(struct kept_head));
	struct kept_head h;

	if (!head)
		return false;
	memcpy(&h, head, sizeof(h));
	if (!take_ranges(&block, h.ranges, h.scopes, &u->code, a))
		return false;
	l->row = take_copy(&block, h.rows, sizeof(*l->row), a);
	l->n = h.rows;
	l->first_file = h.first_file;
	scope = take_copy(&block, h.scopes, sizeof(*scope), a);
	file = take_copy(&block, h.files, sizeof(*file), a);
	return l->row && scope && file && take_names(u, l, &h, scope, file, block);
}

void dwarf_cache_take(struct unit *u)
{
	const struct cache *c = u->d->kept ? u->d->kept->cache : NULL;
	struct kept_part *k = u->asked ? NULL : part_of(u);
	const struct kept_unit *from;
	struct lines *l;
	struct cache_sum sum;
	struct str block;

	if (!k)
		return;
	u->asked = true;
	l = arena_new(u->d->arena, struct lines, 1);
	from = &k->unit[u - u->d->unit];
	block = block_of(k, from);
	sum = c ? cache_sum(c, block) : from->sum;
	if (sum.a != from->sum.a || sum.b != from->sum.b || !take_block(u, l, block)) {
		k->damaged = true;
		u->code = (struct symtab){ 0 };
		u->scopes = 0;
		return;
	}
	u->walked = from->flags & UNIT_WALKED;
	u->lines_tried = from->flags & UNIT_LINES_TRIED;
	u->lines = from->flags & UNIT_LINES ? l : NULL;
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
	*k = (struct dwarf_cache){ .cache = c, .parts = 1 };
	k->part[0].bytes = entry;
	k->part[0].unit = take_copy(&front, f.units, sizeof(struct kept_unit), a);
	if (!k->part[0].unit || !take_ranges(&front, f.ranges, f.units, &d->code, a))
		return NULL;
	d->unit = arena_new(a, struct unit, f.units + 1);
	d->units = f.units;
	d->rest_placed = k->rest_placed = f.flags & REST_PLACED;
	for (size_t i = 0; i < d->units; i++)
		d->unit[i] =
		        (struct unit){ .d = d,
			               .placed = k->part[0].unit[i].flags & UNIT_PLACED };
	return d;
}

/*
 * Adds the ranges from `more` for all units that have no ranges in d.  Returns false if the added
 * ranges overlap ranges in d.
 */
static bool place_rest(struct dwarf *d, const struct dwarf *more)
{
	const struct symbol *own = d->code.sym, *new = more->code.sym;
	const struct symbol *own_end = own + d->code.n, *new_end = new + more->code.n;
	struct symtab all = { .cap = d->code.n + more->code.n + 1, .sorted = true };

	all.sym = arena_new(d->arena, struct symbol, all.cap);
	while (own < own_end || new < new_end) {
		const struct symbol *s;

		if (new < new_end && d->unit[new->base].placed) {
			new ++;
			continue;
		}
		s = new == new_end || (own < own_end && own->start < new->start) ? own++
		                                                                 : new ++;
		if (all.n && all.sym[all.n - 1].end > s->start)
			return false;
		all.sym[all.n++] = *s;
	}
	d->code = all;
	for (size_t i = 0; i < d->units; i++)
		d->unit[i].placed = true;
	d->rest_placed = d->kept->rest_placed = true;
	return true;
}

/*
 * Adds the next part of an entry.  Returns false if the part does not belong to the file.
 */
static bool add_part(struct dwarf *d, const struct dwarf *more)
{
	struct dwarf_cache *k = d->kept;

	if (more->units != d->units ||
	    (more->rest_placed && !d->rest_placed && !place_rest(d, more)))
		return false;
	k->part[k->parts++] = more->kept->part[0];
	return true;
}

struct dwarf *dwarf_cache_load(struct cache *c, const struct cache_name *first,
                               struct str bytes, struct arena *a)
{
	struct dwarf *d = NULL, *more;
	struct cache_entry e;

	for (unsigned p = 0; p < CACHE_PARTS; p++) {
		struct cache_name name = cache_part(first, p);

		if (!cache_load(c, &name, &e))
			break;
		more = dwarf_cache_read(c, e.map, e.front, bytes, a);
		if (more)
			more->kept->part[0].entry = e;
		if (!more || (d && !add_part(d, more))) {
			cache_unload(&e);
			cache_forget(c, &name);
			break;
		}
		if (!d)
			d = more;
	}
	return d;
}

void dwarf_cache_unload(struct dwarf *d)
{
	for (unsigned p = 0; d->kept && p < d->kept->parts; p++)
		cache_unload(&d->kept->part[p].entry);
}

static void put(struct buffer *m, const void *p, size_t n)
{
	buffer_put(m, (struct str){ p, n });
}

/* Pads the entry with zeros, because a block begins at a multiple of 8 bytes. */
static void align(struct buffer *m)
{
	put(m, (const char[8]){ 0 }, -m->n & 7);
}

static void put_ranges(struct buffer *m, const struct symtab *code)
{
	for (const struct symbol *s = code->sym; s < code->sym + code->n; s++) {
		put(m, &(struct kept_range){ s->start, s->end, s->base },
		    sizeof(struct kept_range));
	}
}

/* Returns *n as the position of a name, and adds the length of the name to *n. */
static struct kept_name count(struct str name, uint32_t *n)
{
	struct kept_name k = { *n, (uint32_t)name.n };

	*n += k.n;
	return k;
}

/* Returns the position of a path.  A new path is at *n, and its length is added to *n. */
static struct kept_name count_path(struct table *seen, struct arena *a, struct str path,
                                   uint32_t *n)
{
	uint32_t *at = table_at(seen, a, (uintptr_t)path.p, path.n);

	if (*at || !path.n)
		return (struct kept_name){ *at ? *at - 1 : 0, (uint32_t)path.n };
	*at = *n + 1;
	return count(path, n);
}

static void put_scopes(struct buffer *m, struct unit *u, uint32_t *names)
{
	struct table seen = { 0 };

	for (size_t i = 0; i < u->scopes; i++) {
		struct scope *s = &u->scope[i];
		struct kept_scope k = { .parent = s->parent,
			                .call_file = s->call_file,
			                .call_line = s->call_line };

		dwarf_names_read(u, s);
		k.plain = s->plain;
		k.line = s->line;
		k.name = count(s->name, names);
		k.scoped = count(s->scoped, names);
		k.path = count_path(&seen, m->arena, s->path, names);
		put(m, &k, sizeof(k));
	}
}

static void put_names(struct buffer *m, const struct unit *u)
{
	struct table seen = { 0 };

	for (size_t i = 0; i < u->scopes; i++) {
		const struct scope *s = &u->scope[i];
		uint32_t *at = table_at(&seen, m->arena, (uintptr_t)s->path.p, s->path.n);

		buffer_put(m, s->name);
		buffer_put(m, s->scoped);
		if (!*at)
			buffer_put(m, s->path);
		*at = 1;
	}
}

static void make_block(struct buffer *m, struct unit *u)
{
	static const struct lines none;
	const struct lines *l = u->lines ? u->lines : &none;
	struct kept_head h = { (uint32_t)u->scopes, (uint32_t)u->code.n, (uint32_t)l->n,
		               (uint32_t)l->files,  l->first_file,       0 };
	uint32_t names = 0;

	put(m, &h, sizeof(h));
	put_ranges(m, &u->code);
	put(m, l->row, l->n * sizeof(*l->row));
	put_scopes(m, u, &names);
	for (size_t i = 0; i < l->files; i++) {
		struct kept_name name = count(l->file[i], &names);

		put(m, &name, sizeof(name));
	}
	put_names(m, u);
	for (size_t i = 0; i < l->files; i++)
		buffer_put(m, l->file[i]);
}

/*
 * Adds a unit and its block.  If the unit was not read from the file, copies its block from the
 * cached entry.
 */
static struct kept_unit put_unit(struct buffer *m, const struct cache *c, struct unit *u,
                                 uint64_t *news)
{
	const struct dwarf *d = u->d;
	const struct kept_part *part = part_of(u);
	const struct kept_unit *k = part ? &part->unit[u - d->unit] : NULL;
	struct kept_unit out = { .flags = u->placed ? UNIT_PLACED : 0 };
	struct str block = { 0 };

	align(m);
	out.off = m->n;
	if (u->fresh && m->n / MOST_PER_BYTE <= d->bytes.n) {
		dwarf_cache_take(u);
		make_block(m, u);
		out.flags |= (u->walked ? UNIT_WALKED : 0) |
		             (u->lines_tried ? UNIT_LINES_TRIED : 0) |
		             (u->lines ? UNIT_LINES : 0);
		/*
		 * If an earlier part contains a block of this unit, later runs use that block,
		 * so the bytes added here do not count as new.
		 */
		*news += k ? 0 : m->n - out.off;
	} else if (k && !u->fresh) {
		block = block_of(part, k);
		buffer_put(m, block);
		out.flags |= k->flags;
	}
	out.size = m->n - out.off;
	block = (struct str){ m->p + out.off, out.size };
	out.sum = k && !u->fresh ? k->sum : cache_sum(c, block);
	return out;
}

/* Makes an entry.  Sets *news to the number of its bytes that the cache does not contain yet. */
static struct str write_entry(struct dwarf *d, const struct cache *c, struct str *front,
                              uint64_t *news, struct arena *a)
{
	struct kept_front f = { d->units, d->code.n, d->rest_placed ? REST_PLACED : 0 };
	size_t bytes = sizeof(f) + d->units * sizeof(struct kept_unit) +
	               d->code.n * sizeof(struct kept_range);
	uint64_t base = (CACHE_HEAD + bytes + 7) & ~(uint64_t)7;
	arena_scope(scratch);
	struct buffer m = { .arena = &scratch }, all = m;
	struct str entry;

	*news = d->kept && d->rest_placed && !d->kept->rest_placed
	                ? d->code.n * sizeof(struct kept_range)
	                : 0;
	put(&all, (const char[CACHE_HEAD]){ 0 }, CACHE_HEAD);
	put(&all, &f, sizeof(f));
	for (size_t i = 0; i < d->units; i++) {
		struct kept_unit u = put_unit(&m, c, &d->unit[i], news);

		u.off += base;
		put(&all, &u, sizeof(u));
	}
	put_ranges(&all, &d->code);
	align(&all);
	buffer_put(&all, buffer_str(&m));
	entry = arena_str(a, buffer_str(&all));
	*front = str_head(str_from(entry, CACHE_HEAD), bytes);
	return entry;
}

struct str dwarf_cache_write(struct dwarf *d, const struct cache *c, struct str *front,
                             struct arena *a)
{
	uint64_t news;

	return write_entry(d, c, front, &news, a);
}

/*
 * Returns true if .debug_info is compressed.  Decompressing .debug_info takes longer than
 * reading the missing units, so any part is worth writing.
 */
static bool is_packed(const struct dwarf *d)
{
	const char *p = d->sections.at[DW_INFO].p;

	return p < d->bytes.p || p >= d->bytes.p + d->bytes.n;
}

/* Returns false if the work budget is spent.  The results then depend on the order of lookups. */
static bool is_whole(const struct dwarf *d)
{
	return d->work && (!d->alt || d->alt->work);
}

/* Returns true if a part with `news` new bytes is worth writing. */
static bool is_worth(const struct dwarf *d, uint64_t news)
{
	const struct dwarf_cache *k = d->kept;

	return !k || (news && (is_packed(d) ||
	                       news * NEWS_SHARE >= k->part[k->parts - 1].bytes.n));
}

/* Removes damaged parts, or all parts if `all` is set, so that later runs write them again. */
static void forget(const struct dwarf *d, struct cache *c, const struct cache_name *first,
                   bool all)
{
	for (unsigned p = 0; d->kept && p < d->kept->parts; p++) {
		struct cache_name name = cache_part(first, p);

		if (all || d->kept->part[p].damaged)
			cache_forget(c, &name);
	}
}

/*
 * Returns an address in each unit that was read from the file.  If units without ranges in their
 * root entry were read, adds an address outside of all units, because its lookup reads such units.
 */
static struct str list_fresh(struct dwarf *d, struct arena *a)
{
	uint64_t *va = arena_new(a, uint64_t, d->units + 1);
	bool *listed = arena_new(a, bool, d->units + 1);
	size_t n = 0;

	for (const struct symbol *s = d->code.sym; s < d->code.sym + d->code.n; s++) {
		if (!d->unit[s->base].fresh || listed[s->base])
			continue;
		listed[s->base] = true;
		va[n++] = s->start;
	}
	if (d->rest_placed && !(d->kept && d->kept->rest_placed))
		va[n++] = UINT64_MAX;
	return (struct str){ (const char *)va, n * sizeof(*va) };
}

/*
 * Writes a part.  If the entry already has CACHE_PARTS parts, removes them instead, so that
 * later runs can write parts again.
 */
static void keep_part(const struct dwarf *d, struct cache *c,
                      const struct cache_name *first, struct str entry, struct str front)
{
	unsigned part = d->kept ? d->kept->parts : 0;
	struct cache_name name = cache_part(first, part);
	struct cache_writing w;

	if (part == CACHE_PARTS) {
		forget(d, c, first, true);
		return;
	}
	cache_begin(c, &w);
	cache_put(&w, front.p, entry.n - CACHE_HEAD);
	cache_end(&w, &name, front);
}

struct str dwarf_cache_keep(struct dwarf *d, struct cache *c,
                            const struct cache_name *first, struct arena *a)
{
	arena_scope(scratch);
	struct str entry, front, list = { 0 };
	uint64_t news;

	if (!cache_is_open(c))
		return list;
	forget(d, c, first, false);
	if (!d->changed || d->late || !d->code.sorted || d->has_split ||
	    d->sections.split || !is_whole(d) ||
	    d->sections.at[DW_INFO].n < INFO_AT_LEAST)
		return list;
	entry = write_entry(d, c, &front, &news, &scratch);
	if (is_whole(d) && is_worth(d, news)) {
		if (order_is_needed(c, first->kind) &&
		    !(d->kept && d->kept->parts == CACHE_PARTS))
			list = list_fresh(d, a);
		else
			keep_part(d, c, first, entry, front);
	}
	return list;
}
