/*
 * Of an entry, the front:
 *
 *	members
 *	off  size  checksum, 2 numbers  of the head, 2  linked  bytes of the name
 *	name, padded to 8                                              (each member)
 *
 * and from the next page on the members' bytes, as they lay in the spool.
 */
#include "source/keep.h"

#include "source/state.h"

enum {
	PAGE = 4096,
	MEMBER_FIELDS = 8,
};

bool keep_identify(const struct cache *c, int fd, struct str name, bool is_profile,
                   struct keep_key *out)
{
	*out = (struct keep_key){ .name = cache_sum(c, str_base(name)).a,
		                  .is_profile = is_profile };
	return file_stamp(fd, &out->file);
}

static struct cache_name name_of(const struct cache *c, const struct keep_key *key)
{
	struct str bytes = { (const char *)key, sizeof(*key) };

	return (struct cache_name){ 'u', cache_sum(c, bytes) };
}

static uint64_t padded(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

/* One member of the index at the front of *index; false: it is not all there. */
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
	if (!field[7] || field[7] > index->n || padded(field[7]) > index->n)
		return false;
	name = str_head(*index, field[7]);
	*index = str_from(*index, padded(field[7]));
	if (field[0] > bytes || field[1] > bytes - field[0])
		return false;
	*m = (struct member){ .name = arena_str(run, name),
		              .size = field[1],
		              .linked = field[6] != 0,
		              .off = field[0],
		              .kept = arena_new(run, struct kept_member, 1) };
	m->kept->sum = (struct cache_sum){ field[2], field[3] };
	m->kept->head = (struct cache_sum){ field[4], field[5] };
	return true;
}

bool keep_read(struct source *s, struct str entry, struct str front)
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

bool keep_load(struct source *s, const struct keep_key *key)
{
	struct source_state *st = s->state;
	uint64_t max = st->opts.max_spool;
	struct cache_name name = name_of(st->opts.cache, key);
	struct cache_entry e;

	if (!cache_load(st->opts.cache, &name, &e))
		return false;
	if ((max && e.map.n > max) || !keep_read(s, e.map, e.front)) {
		cache_unload(&e);
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

/* The spool's bytes keep their order and distance, from the page at base on. */
static void put_member(char **to, const struct member *m, uint64_t base,
                       const struct cache *c)
{
	struct cache_sum sum = cache_sum(c, m->map), head = cache_sum(c, head_of(m->map));
	uint64_t field[MEMBER_FIELDS] = { base + m->off, m->size, sum.a,     sum.b,
		                          head.a,        head.b,  m->linked, m->name.n };

	memcpy(*to, field, sizeof(field));
	memcpy(*to + sizeof(field), m->name.p, m->name.n);
	*to += sizeof(field) + padded(m->name.n);
}

static struct str make_front(const struct source *s, uint64_t *base, struct arena *a)
{
	uint64_t members = s->n, n = sizeof(members);
	char *front, *to;

	for (size_t i = 0; i < s->n; i++)
		n += MEMBER_FIELDS * sizeof(uint64_t) + padded(s->members[i].name.n);
	front = arena_new(a, char, n);
	memcpy(front, &members, sizeof(members));
	to = front + sizeof(members);
	*base = (CACHE_HEAD + n + PAGE - 1) / PAGE * PAGE;
	for (size_t i = 0; i < s->n; i++)
		put_member(&to, &s->members[i], *base, s->state->opts.cache);
	return (struct str){ front, n };
}

/* Members that are complete, each with a name, can be had again just so. */
static bool is_worth(const struct source *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->members[i].absent || s->members[i].cut || !s->members[i].name.n ||
		    !s->members[i].map.p)
			return false;
	return s->n != 0;
}

void keep_store(struct source *s, const struct keep_key *key)
{
	struct cache *c = s->state->opts.cache;
	struct str bytes = s->state->spool.map, front;
	struct cache_name name = name_of(c, key);
	struct arena scratch = { 0 };
	struct cache_writing w;
	uint64_t base;

	if (!is_worth(s) || bytes.n > c->max)
		return;
	front = make_front(s, &base, &scratch);
	cache_begin(c, &w);
	cache_put(&w, front.p, front.n);
	w.at = base;
	cache_put(&w, bytes.p, bytes.n);
	cache_end(&w, &name, front);
	arena_release(&scratch);
}

/* The archive as it is now, if it has just these members. */
static struct source *unpack_again(struct source *s)
{
	struct source *now = source_open(s->name.p, &s->state->opts);
	bool same = now && now->kind == SOURCE_ARCHIVE && now->n == s->n;

	for (size_t i = 0; same && i < s->n; i++)
		same = str_eq(now->members[i].name, s->members[i].name) &&
		       now->members[i].size == s->members[i].size &&
		       now->members[i].map.p;
	if (same)
		return now;
	source_close(now);
	return NULL;
}

/* What was handed out stays where it is: it was sound. */
static void repair(struct source *s)
{
	struct source *now;

	cache_forget(s->state->opts.cache, &s->state->kept_as);
	now = unpack_again(s);
	s->state->repaired = now;
	for (size_t i = 0; i < s->n; i++) {
		struct member *m = &s->members[i];

		if (m->map.p)
			continue;
		m->kept = NULL;
		m->absent = !now;
		if (now)
			m->map = now->members[i].map;
	}
}

static bool is(const struct source *s, struct str bytes, struct cache_sum want)
{
	struct cache_sum sum = cache_sum(s->state->opts.cache, bytes);

	return sum.a == want.a && sum.b == want.b;
}

struct str keep_bytes(struct source *s, struct member *m)
{
	struct str bytes = spool_bytes(&s->state->spool, m->off, m->size);

	if (!is(s, bytes, m->kept->sum)) {
		repair(s);
		return m->map;
	}
	return m->map = bytes;
}

struct str keep_head(struct source *s, struct member *m)
{
	struct str head = head_of(spool_bytes(&s->state->spool, m->off, m->size));

	if (!m->kept->head_good && !is(s, head, m->kept->head)) {
		repair(s);
		return head_of(m->map);
	}
	if (m->kept)
		m->kept->head_good = true;
	return head;
}
