/*
 * The front (cache/cache.h) of an archive's cache entry:
 *
 * 	the key of the archive, members
 * 	off  size  name, 2 numbers  checksum, 2  of the head, 2  flags  bytes of the name
 * 	name, padded to 8                                             (each member)
 *
 * The content of small members follows.  The entry of a large member consists of its content.
 */
#include "source/archive_cache.h"

#include "base/digest.h"
#include "cache/order.h"

enum {
	MEMBER_FIELDS = 10,
	LARGE = 64 << 10, /* minimum size in bytes of a member that has its own entry */
	ALIGN = 64,       /* alignment of members */
};

bool archive_cache_identify(int fd, struct str name, bool is_profile,
                            struct archive_cache_key *out)
{
	struct str base = str_base(name);

	*out = (struct archive_cache_key){ .is_profile = is_profile };
	if (base.n >= sizeof(out->name))
		return false;
	memcpy(out->name, base.p, base.n);
	return file_stamp(fd, &out->file);
}

struct cache_name archive_cache_name(const struct cache *c,
                                     const struct archive_cache_key *key)
{
	struct str bytes = { (const char *)key, sizeof(*key) };

	return (struct cache_name){ 'u', cache_sum(c, bytes) };
}

enum { MEMBER_LINKED = 1, MEMBER_APART = 2 };

static struct cache_name name_of_member(const struct kept_member *k)
{
	return (struct cache_name){ 'm', k->of };
}

static uint64_t padded(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

/* Reads the fields of a member from the start of *index.  Returns false if they are incomplete. */
static bool read_member(struct source *s, struct str *index, uint64_t bytes,
                        struct member *m)
{
	struct arena *run = s->state->opts.run;
	uint64_t field[MEMBER_FIELDS];
	struct str name;

	if (index->n < sizeof(field))
		return false;
	memcpy(field, index->p, sizeof(field));
	*index = str_from(*index, sizeof(field));
	if (!field[9] || field[9] > index->n || padded(field[9]) > index->n)
		return false;
	name = str_head(*index, field[9]);
	*index = str_from(*index, padded(field[9]));
	*m = (struct member){ .name = arena_str(run, name),
		              .size = field[1],
		              .linked = (field[8] & MEMBER_LINKED) != 0,
		              .off = field[0],
		              .kept = arena_new(run, struct kept_member, 1) };
	m->kept->of = (struct cache_sum){ field[2], field[3] };
	m->kept->sum = (struct cache_sum){ field[4], field[5] };
	m->kept->head = (struct cache_sum){ field[6], field[7] };
	m->kept->apart = (field[8] & MEMBER_APART) != 0;
	if (m->kept->apart)
		return m->size <= INT64_MAX / 4;
	return field[0] <= bytes && field[1] <= bytes - field[0];
}

bool archive_cache_read(struct source *s, struct str entry, struct str front)
{
	size_t least = MEMBER_FIELDS * sizeof(uint64_t) + 8;
	uint64_t members;

	if (front.n < sizeof(members))
		return false;
	memcpy(&members, front.p, sizeof(members));
	front = str_from(front, sizeof(members));
	if (members > front.n / least)
		return false;
	s->members = arena_new(s->state->opts.run, struct member, members + 1);
	for (s->n = 0; s->n < members; s->n++)
		if (!read_member(s, &front, entry.n, &s->members[s->n])) {
			s->n = 0;
			return false;
		}
	return true;
}

/* Returns true if the members do not exceed the limit of unpacked bytes. */
static bool is_within(const struct source *s, uint64_t max)
{
	uint64_t left = max;

	for (size_t i = 0; i < s->n && max; i++) {
		if (s->members[i].size > left)
			return false;
		left -= s->members[i].size;
	}
	return true;
}

bool archive_cache_load(struct source *s, const struct archive_cache_key *key)
{
	struct source_state *st = s->state;
	struct cache_name name = archive_cache_name(st->opts.cache, key);
	struct cache_entry e;

	if (!cache_load(st->opts.cache, &name, &e))
		return false;
	if (e.front.n < sizeof(*key) || memcmp(e.front.p, key, sizeof(*key)) != 0 ||
	    !archive_cache_read(s, e.map, str_from(e.front, sizeof(*key))) ||
	    !is_within(s, st->opts.max_spool)) {
		cache_unload(&e);
		s->n = 0;
		return false;
	}
	st->spool.map = e.map;
	st->spool.end = e.map.n;
	st->kept_as = name;
	return true;
}

static struct str head_of(struct str bytes)
{
	return str_head(bytes, SOURCE_HEAD);
}

/* State while a cache entry is made. */
struct making {
	struct cache *cache;
	struct arena arena;
	char *front;
	size_t front_n;
	uint64_t end; /* end of the entry's content so far */
	bool *apart;  /* for each member: true if it has its own entry */
};

static uint64_t aligned(uint64_t n)
{
	return (n + ALIGN - 1) / ALIGN * ALIGN;
}

static struct cache_sum digest(struct str bytes)
{
	struct digest d;
	uint64_t sum[2];

	digest_begin(&d);
	digest_add(&d, bytes);
	digest_end(&d, sum);
	return (struct cache_sum){ sum[0], sum[1] };
}

/* Writes a large member to a cache entry of its own. */
static void keep_apart(struct cache *c, struct str bytes, struct cache_sum of)
{
	struct cache_name name = { 'm', of };
	struct cache_entry there;
	struct cache_writing w;
	bool same;

	if (cache_load(c, &name, &there)) {
		same = str_eq(str_from(there.map, CACHE_HEAD), bytes);
		cache_unload(&there);
		if (same)
			return;
		/* The existing entry is damaged, so it is replaced. */
		cache_forget(c, &name);
	}
	cache_begin(c, &w);
	cache_put(&w, bytes.p, bytes.n);
	cache_end(&w, &name, (struct str){ 0 });
}

/*
 * Writes the fields of a member to `to` and, for a large member, its own entry.  Returns the end
 * of the fields.
 */
static char *put_member(struct making *k, const struct member *m, bool *apart, char *to)
{
	struct cache_sum sum = cache_sum(k->cache, m->map);
	struct cache_sum head = cache_sum(k->cache, head_of(m->map));
	uint64_t flags = m->linked ? MEMBER_LINKED : 0, off = 0;
	struct cache_sum of = { 0 };

	*apart = m->size >= LARGE;
	if (*apart) {
		flags |= MEMBER_APART;
		of = digest(m->map);
		keep_apart(k->cache, m->map, of);
	} else {
		off = aligned(k->end);
		k->end = off + m->size;
	}
	memcpy(to,
	       (uint64_t[MEMBER_FIELDS]){ off, m->size, of.a, of.b, sum.a, sum.b, head.a,
	                                  head.b, flags, m->name.n },
	       MEMBER_FIELDS * sizeof(uint64_t));
	to += MEMBER_FIELDS * sizeof(uint64_t);
	memcpy(to, m->name.p, m->name.n);
	return to + padded(m->name.n);
}

static void make_front(struct making *k, const struct source *s,
                       const struct archive_cache_key *key)
{
	uint64_t members = s->n;
	char *to;

	k->apart = arena_new(&k->arena, bool, s->n);
	k->front_n = sizeof(*key) + sizeof(members);
	for (size_t i = 0; i < s->n; i++)
		k->front_n +=
		        MEMBER_FIELDS * sizeof(uint64_t) + padded(s->members[i].name.n);
	k->front = arena_new(&k->arena, char, k->front_n);
	k->end = CACHE_HEAD + k->front_n;
	memcpy(k->front, key, sizeof(*key));
	memcpy(k->front + sizeof(*key), &members, sizeof(members));
	to = k->front + sizeof(*key) + sizeof(members);
	for (size_t i = 0; i < s->n; i++)
		to = put_member(k, &s->members[i], &k->apart[i], to);
}

/* Returns true if the archive is worth storing: all members have names and are complete. */
static bool is_worth(const struct source *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->members[i].absent || s->members[i].cut || !s->members[i].name.n ||
		    !s->members[i].map.p)
			return false;
	return s->n != 0;
}

void archive_cache_store(struct source *s, const struct archive_cache_key *key)
{
	struct making k = { .cache = s->state->opts.cache };
	struct cache_name name = archive_cache_name(k.cache, key);
	struct cache_writing w;

	if (!is_worth(s) || !is_within(s, k.cache->max))
		return;
	if (order_is_needed(k.cache, name.kind)) {
		order_send(k.cache, &(struct order){ .kind = name.kind,
		                                     .is_profile = key->is_profile,
		                                     .path = s->name });
		return;
	}
	make_front(&k, s, key);
	cache_begin(k.cache, &w);
	cache_put(&w, k.front, k.front_n);
	for (size_t i = 0; i < s->n; i++) {
		struct str bytes = s->members[i].map;

		if (k.apart[i])
			continue;
		w.at = aligned(w.at);
		cache_put(&w, bytes.p, bytes.n);
	}
	cache_end(&w, &name, (struct str){ k.front, k.front_n });
	arena_release(&k.arena);
}

static bool is(const struct source *s, struct str bytes, struct cache_sum want)
{
	struct cache_sum sum = cache_sum(s->state->opts.cache, bytes);

	return bytes.p && sum.a == want.a && sum.b == want.b;
}

/*
 * Returns the unverified content of a member in the cache, or a NULL string if it is missing.
 */
static struct str kept_bytes(struct source *s, struct member *m)
{
	struct kept_member *k = m->kept;
	struct cache_name name = name_of_member(k);

	if (!k->apart)
		return spool_bytes(&s->state->spool, m->off, m->size);
	if (!k->entry.map.n && !cache_load(s->state->opts.cache, &name, &k->entry))
		return (struct str){ NULL, 0 };
	if (k->entry.map.n - CACHE_HEAD != m->size)
		return (struct str){ NULL, 0 };
	return str_from(k->entry.map, CACHE_HEAD);
}

/*
 * Removes an archive with a damaged member from the cache, because its other members are not
 * trusted either.
 */
static void forget(struct source *s, const struct member *m)
{
	struct cache_name name = name_of_member(m->kept);

	if (m->kept->apart)
		cache_forget(s->state->opts.cache, &name);
	cache_forget(s->state->opts.cache, &s->state->kept_as);
}

struct str archive_cache_bytes(struct source *s, struct member *m)
{
	struct str bytes = kept_bytes(s, m);

	if (is(s, bytes, m->kept->sum))
		return m->map = bytes;
	forget(s, m);
	return (struct str){ NULL, 0 };
}

struct str archive_cache_head(struct source *s, struct member *m)
{
	struct str head = head_of(kept_bytes(s, m));

	if (m->kept->head_good || is(s, head, m->kept->head)) {
		m->kept->head_good = true;
		return head;
	}
	forget(s, m);
	return (struct str){ NULL, 0 };
}

void archive_cache_close(struct source *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->members[i].kept)
			cache_unload(&s->members[i].kept->entry);
}
