/*
 * A directory has one or more cache entries, its parts.  An entry has only a front (cache/cache.h):
 *
 * 	bytes of the directory's path, 64 bits  path, padded to 8
 * 	watched  members  files  0
 * 	dev  ino  mtime  ctime  name off  bytes  is a link, 64 bits  (each directory, link)
 * 	size  name off  bytes  file + 1, 32 bits  note  0  depth, 16 bits    (each member)
 * 	dev  ino  size  mtime  ctime  id  bytes of the id, 32 bits     (each file opened)
 * 	names, each with a NUL after it
 */
#include "source/index.h"

#include "base/buffer.h"
#include "cache/order.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ID_MAX = 36 };

struct listed_watch {
	uint64_t dev, ino, mtime_ns, ctime_ns;
	uint32_t name, name_n;
	uint64_t link;
};

struct listed_member {
	uint64_t size;
	uint32_t name, name_n, file;
	uint8_t note, unused;
	uint16_t depth;
};

struct listed_file {
	struct file_stamp stamp;
	char id[ID_MAX];
	uint32_t id_n; /* UINT32_MAX if the build-id is unknown */
};

struct listed_head {
	uint64_t watched, members, files, unused;
};

static uint64_t padded(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

static bool is_indexed(const struct source *s)
{
	const struct source_opts *o = &s->state->opts;

	return cache_is_open(o->cache) && !o->is_profile && s->state->fd >= 0;
}

struct cache_name index_name(const struct cache *c, struct str real)
{
	return (struct cache_name){ 'i', cache_sum(c, real) };
}

/*
 * Sets the path of the directory and the name of its entry.  The entry also contains the path,
 * because link targets are compared by full paths.
 */
static bool name_of(const struct source *s, struct str *path, struct cache_name *out)
{
	const struct source_opts *o = &s->state->opts;
	char *real = realpath(s->name.p, NULL);

	*path = real ? arena_str(o->run, str_of(real)) : (struct str){ 0 };
	*out = index_name(o->cache, *path);
	free(real);
	return path->n != 0;
}

/*
 * Removes the path from the start of an entry's front.  Returns false if the front starts with
 * another path.
 */
static bool take_path(struct str *front, struct str path)
{
	uint64_t n;

	if (front->n < sizeof(n))
		return false;
	memcpy(&n, front->p, sizeof(n));
	*front = str_from(*front, sizeof(n));
	if (n != path.n || !str_starts(*front, path))
		return false;
	*front = str_from(*front, padded(n));
	return true;
}

static struct watch *add_watch(struct source *s, struct str name)
{
	struct source_state *st = s->state;

	arena_fit(st->opts.run, st->watch, st->watched + 1, st->watch_cap);
	st->watch[st->watched].name = name;
	return &st->watch[st->watched++];
}

void index_watch_directory(struct source *s, struct str name, int dir)
{
	struct file_stamp stamp;

	if (!is_indexed(s))
		return;
	if (!file_stamp(dir, &stamp))
		s->state->unsure = true;
	add_watch(s, name)->stamp = stamp;
}

void index_watch_link(struct source *s, struct str name, const struct stat *sb)
{
	struct watch *w;

	if (!is_indexed(s))
		return;
	w = add_watch(s, name);
	w->link = true;
	if (sb)
		w->stamp = (struct file_stamp){ .dev = sb->st_dev, .ino = sb->st_ino };
}

void index_opened(struct source *s, struct member *m, int fd)
{
	if (!m->file)
		m->file = arena_new(s->state->opts.run, struct member_file, 1);
	file_stamp(fd, &m->file->stamp);
	s->state->learned = true;
}

/* Returns true if the name does not lead out of the directory. */
static bool is_inside(struct str name)
{
	if (memchr(name.p, 0, name.n) || name.p[0] == '/')
		return false;
	while (name.n) {
		struct str part = str_cut(&name, '/');

		if (str_eq(part, STR("..")))
			return false;
	}
	return true;
}

static bool read_name(struct str names, uint32_t off, uint32_t n, struct str *out)
{
	if (off >= names.n || n >= names.n - off || names.p[off + n])
		return false;
	*out = (struct str){ names.p + off, n };
	return is_inside(*out);
}

static bool read_watch(struct source *s, const char *p, struct str names)
{
	struct listed_watch k;
	struct watch *w;
	struct str name;

	memcpy(&k, p, sizeof(k));
	if (!read_name(names, k.name, k.name_n, &name))
		return false;
	w = add_watch(s, name);
	w->link = k.link != 0;
	w->stamp = (struct file_stamp){
		.dev = k.dev, .ino = k.ino, .mtime_ns = k.mtime_ns, .ctime_ns = k.ctime_ns
	};
	return true;
}

static bool read_file(struct member_file *f, const char *p)
{
	struct listed_file k;

	memcpy(&k, p, sizeof(k));
	f->stamp = k.stamp;
	f->id_known = k.id_n != UINT32_MAX;
	if (f->id_known && k.id_n > ID_MAX)
		return false;
	if (f->id_known)
		f->id = (struct str){ p + offsetof(struct listed_file, id), k.id_n };
	return f->stamp.ino != 0;
}

static bool read_member(struct member *m, const char *p, struct str names,
                        struct member_file *file, uint64_t files)
{
	struct listed_member k;

	memcpy(&k, p, sizeof(k));
	if (!read_name(names, k.name, k.name_n, &m->name) || !k.name_n || k.file > files)
		return false;
	m->size = k.size;
	m->depth = k.depth;
	m->note = k.note;
	m->file = k.file ? &file[k.file - 1] : NULL;
	return true;
}

bool index_read(struct source *s, struct str front)
{
	struct arena *run = s->state->opts.run;
	const char *head = str_take(&front, 1, sizeof(struct listed_head));
	const char *watch, *member, *file;
	struct member_file *files;
	struct listed_head h;

	if (!head)
		return false;
	memcpy(&h, head, sizeof(h));
	watch = str_take(&front, h.watched, sizeof(struct listed_watch));
	member = watch ? str_take(&front, h.members, sizeof(struct listed_member)) : NULL;
	file = member ? str_take(&front, h.files, sizeof(struct listed_file)) : NULL;
	if (!file)
		return false;
	files = arena_new(run, struct member_file, h.files + 1);
	for (size_t i = 0; i < h.files; i++)
		if (!read_file(&files[i], file + i * sizeof(struct listed_file)))
			return false;
	for (size_t i = 0; i < h.watched; i++)
		if (!read_watch(s, watch + i * sizeof(struct listed_watch), front))
			return false;
	s->members = arena_new(run, struct member, h.members + 1);
	for (s->n = 0; s->n < h.members; s->n++)
		if (!read_member(&s->members[s->n],
		                 member + s->n * sizeof(struct listed_member), front,
		                 files, h.files))
			return false;
	return true;
}

static bool is_as_it_was(int top, const struct watch *w)
{
	const struct file_stamp *was = &w->stamp;
	struct file_stamp now = { 0 };
	struct stat sb;
	bool there = fstatat(top, w->name.n ? w->name.p : ".", &sb, 0) == 0;

	if (there)
		file_stamp_of(&sb, &now);
	if (now.dev != was->dev || now.ino != was->ino)
		return false;
	return w->link ||
	       (there && S_ISDIR(sb.st_mode) && now.mtime_ns == was->mtime_ns &&
	        now.ctime_ns == was->ctime_ns);
}

/* Returns true if the file is unchanged since f was stored. */
static bool still_holds(const struct source *s, struct member *m,
                        const struct member_file *f)
{
	struct file_stamp now;
	struct stat sb;

	if (fstatat(s->state->fd, m->name.p, &sb, 0) < 0 || !S_ISREG(sb.st_mode))
		return false;
	file_stamp_of(&sb, &now);
	m->size = now.size;
	return memcmp(&now, &f->stamp, sizeof(now)) == 0;
}

/* A listing of the directory, and the directories and links on which it depends. */
struct listing {
	struct member *members;
	size_t n;
	struct watch *watch;
	size_t watched, watch_cap;
};

/* Replaces the listing of s, and returns the old one. */
static struct listing swap(struct source *s, struct listing l)
{
	struct source_state *st = s->state;
	struct listing was = { s->members, s->n, st->watch, st->watched, st->watch_cap };

	s->members = l.members;
	s->n = l.n;
	st->watch = l.watch;
	st->watched = l.watched;
	st->watch_cap = l.watch_cap;
	return was;
}

/*
 * Returns true if all directories and links of the listing are unchanged.  Drops the data of
 * changed files.
 */
static bool holds(const struct source *s)
{
	const struct source_state *st = s->state;

	for (size_t i = 0; i < st->watched; i++)
		if (!is_as_it_was(st->fd, &st->watch[i]))
			return false;
	for (struct member *m = s->members; m < s->members + s->n; m++) {
		if (m->file && !still_holds(s, m, m->file)) {
			m->file = NULL;
			m->note = 0;
		}
	}
	return true;
}

enum loaded { LOAD_NONE, LOAD_HOLDS, LOAD_STALE };

/* Loads a part into s, which has no listing yet. */
static enum loaded load_part(struct source *s, struct str path,
                             const struct cache_name *name, struct cache_entry *e)
{
	struct source_state *st = s->state;
	struct str front;

	if (!cache_load(st->opts.cache, name, e))
		return LOAD_NONE;
	front = e->front;
	if (!take_path(&front, path) || !index_read(s, front))
		swap(s, (struct listing){ 0 });
	else if (holds(s))
		return LOAD_HOLDS;
	/* Removes the entry, so that another run writes it again. */
	cache_forget(st->opts.cache, name);
	return LOAD_STALE;
}

/* The first part contains the listing.  Other parts only add data of files. */
bool index_load(struct source *s)
{
	struct source_state *st = s->state;
	struct cache_name first;
	enum loaded got;
	struct str path;

	if (!is_indexed(s) || !name_of(s, &path, &first))
		return false;
	while (st->parts < CACHE_PARTS) {
		struct cache_name name = cache_part(&first, st->parts);
		struct listing have = swap(s, (struct listing){ 0 });

		got = load_part(s, path, &name, &st->index[st->parts]);
		if (got == LOAD_HOLDS && !st->parts++)
			continue;
		have = swap(s, have);
		st->before = have.members;
		st->nbefore = have.n;
		if (got != LOAD_HOLDS)
			break;
		index_recall(s);
	}
	if (!st->parts)
		return false;
	s->kind = SOURCE_DIR;
	return true;
}

/*
 * Adds the stored data of a file to m, if m lacks this data and if the file is unchanged.
 */
static void recall(const struct source *s, struct member *m, const struct member *was)
{
	bool lacks = !m->file || (was->file->id_known && !m->file->id_known);

	if ((!lacks && m->note) || !still_holds(s, m, was->file))
		return;
	if (lacks)
		m->file = was->file;
	if (!m->note)
		m->note = was->note;
}

void index_recall(struct source *s)
{
	const struct source_state *st = s->state;
	size_t i = 0;

	for (size_t k = 0; k < st->nbefore; k++) {
		const struct member *was = &st->before[k];
		int order = -1;

		while (i < s->n && (order = str_cmp(s->members[i].name, was->name)) < 0)
			i++;
		if (i < s->n && !order && was->file)
			recall(s, &s->members[i], was);
	}
}

/* State while a cache entry is made. */
struct making {
	struct arena arena;
	struct buffer names;
	struct listed_watch *watch;
	struct listed_member *member;
	struct listed_file *file;
	size_t files, files_cap;
};

static uint32_t add_name(struct making *m, struct str name)
{
	size_t at = m->names.n;

	buffer_put(&m->names, name);
	buffer_put(&m->names, (struct str){ "", 1 });
	return (uint32_t)at;
}

static uint32_t add_file(struct making *m, const struct member_file *f)
{
	struct listed_file *k;

	arena_fit(&m->arena, m->file, m->files + 1, m->files_cap);
	k = &m->file[m->files++];
	k->stamp = f->stamp;
	k->id_n = UINT32_MAX;
	if (f->id_known && f->id.n <= ID_MAX) {
		k->id_n = (uint32_t)f->id.n;
		if (f->id.n)
			memcpy(k->id, f->id.p, f->id.n);
	}
	return (uint32_t)m->files;
}

/*
 * Makes a member of an entry.  If a file was changed recently, omits the data that was read
 * from its content, because another change might have the same time.
 */
static struct listed_member make_member(struct making *m, const struct member *from)
{
	bool known = !from->file || from->file->stamp.ino;
	struct listed_member k = { .size = from->size,
		                   .name = add_name(m, from->name),
		                   .name_n = (uint32_t)from->name.n,
		                   .note = known ? from->note : 0,
		                   .depth = (uint16_t)from->depth };

	if (from->file && known)
		k.file = add_file(m, from->file);
	return k;
}

static struct listed_watch make_watch(struct making *m, const struct watch *w)
{
	return (struct listed_watch){ w->stamp.dev,
		                      w->stamp.ino,
		                      w->stamp.mtime_ns,
		                      w->stamp.ctime_ns,
		                      add_name(m, w->name),
		                      (uint32_t)w->name.n,
		                      w->link };
}

static void put(char **to, const void *p, size_t n)
{
	if (n)
		memcpy(*to, p, n);
	*to += n;
}

static struct str make_front(struct making *m, const struct source *s, struct str path)
{
	const struct source_state *st = s->state;
	struct listed_head h = { st->watched, s->n, 0, 0 };
	uint64_t n = path.n;
	char *front, *to;

	m->watch = arena_new(&m->arena, struct listed_watch, st->watched + 1);
	m->member = arena_new(&m->arena, struct listed_member, s->n + 1);
	for (size_t i = 0; i < st->watched; i++)
		m->watch[i] = make_watch(m, &st->watch[i]);
	for (size_t i = 0; i < s->n; i++)
		m->member[i] = make_member(m, &s->members[i]);
	h.files = m->files;
	front = arena_alloc(&m->arena,
	                    sizeof(n) + padded(n) + sizeof(h) +
	                            st->watched * sizeof(*m->watch) +
	                            s->n * sizeof(*m->member) +
	                            m->files * sizeof(*m->file) + m->names.n,
	                    1);
	to = front;
	put(&to, &n, sizeof(n));
	put(&to, path.p, n);
	to += padded(n) - n;
	put(&to, &h, sizeof(h));
	put(&to, m->watch, st->watched * sizeof(*m->watch));
	put(&to, m->member, s->n * sizeof(*m->member));
	put(&to, m->file, m->files * sizeof(*m->file));
	put(&to, m->names.p, m->names.n);
	return str_span(front, to);
}

/* Returns true if `front` is the front of the part that was loaded last. */
static bool is_known(const struct source_state *st, struct str front)
{
	return st->parts && str_eq(st->index[st->parts - 1].front, front);
}

/*
 * Requests another part from the keeper (cache/order.h), with the names of the opened files.
 */
static void order_part(const struct source *s, struct making *m)
{
	size_t begin = m->names.n;

	for (size_t i = 0; i < s->n; i++) {
		const struct member *from = &s->members[i];

		if (!from->file)
			continue;
		add_name(m, from->file->id_known ? STR("i") : STR("o"));
		m->names.n--;
		add_name(m, from->name);
	}
	order_send(s->state->opts.cache,
	           &(struct order){ .kind = 'i',
	                            .path = s->name,
	                            .list = str_from(buffer_str(&m->names), begin) });
}

/*
 * Stores another part of the listing in the cache.  If the cache already has CACHE_PARTS parts,
 * removes all parts, so that later runs start with the first part again.
 */
static void add_part(const struct source *s, const struct cache_name *first,
                     struct str front, struct making *m)
{
	const struct source_state *st = s->state;
	struct cache_name name = cache_part(first, st->parts);

	if (st->parts < CACHE_PARTS && order_is_needed(st->opts.cache, name.kind))
		order_part(s, m);
	else if (st->parts < CACHE_PARTS)
		cache_store(st->opts.cache, &name, front);
	for (unsigned p = 0; st->parts == CACHE_PARTS && p < CACHE_PARTS; p++) {
		name = cache_part(first, p);
		cache_forget(st->opts.cache, &name);
	}
}

void index_store(struct source *s)
{
	struct source_state *st = s->state;
	struct making m = { .names.arena = &m.arena };
	struct cache_name first;
	struct str path, front;

	if (s->kind != SOURCE_DIR || !is_indexed(s) || !st->learned || st->unsure ||
	    !name_of(s, &path, &first))
		return;
	st->learned = false;
	front = make_front(&m, s, path);
	/* Offsets of names have 32 bits.  If the names need more bytes, no entry is stored. */
	if (m.names.n <= UINT32_MAX && !is_known(st, front))
		add_part(s, &first, front, &m);
	arena_release(&m.arena);
}
