/*
 * An entry, in the byte order of the machine (another one's is another version):
 *
 *	"offboxK1"  version  key, 6 numbers  members  bytes of the index  of all  checksum
 *	off  size  checksum  linked  bytes of the name   name, padded to 8  (each member)
 *	...                                                               (from a page on)
 */
#include "source/keep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "source/state.h"

enum {
	VERSION = 2,
	PAGE = 4096,
	STALE_SECONDS = 3600, /* what a program that died was writing */
	ENTRY_FIELDS = 5,
	YOUNG_NS = 100000000, /* times of file systems go by the clock tick */
};

struct keep_head {
	char magic[8];
	uint64_t version;
	struct keep_key key;
	uint64_t members, index_bytes, bytes;
	uint64_t sum; /* of the index */
};

static const char magic[8] = "offboxK1";

/*
 * Tells damage, not malice: who may write here may write names as well.  Part of the
 * format, so it stays as it is.
 */
static uint64_t checksum(struct str s)
{
	uint64_t lane[4] = { 1, 2, 3, 4 }, tail = s.n;
	const char *p = s.p;

	for (; s.n >= 32; p += 32, s.n -= 32)
		for (int i = 0; i < 4; i++) {
			uint64_t v;

			memcpy(&v, p + 8 * i, 8);
			lane[i] = (lane[i] ^ v) * 0x9e3779b97f4a7c15;
			lane[i] ^= lane[i] >> 29;
		}
	for (size_t i = 0; i < s.n; i++)
		tail = (tail ^ (unsigned char)p[i]) * 0x100000001b3;
	for (int i = 0; i < 4; i++)
		tail = (tail ^ lane[i]) * 0xbf58476d1ce4e5b9;
	return tail ^ tail >> 31;
}

static uint64_t nanoseconds(struct timespec t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

bool keep_identify(int fd, struct str name, bool is_profile, struct keep_key *out)
{
	struct stat sb;
	struct timespec now;

	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode) ||
	    clock_gettime(CLOCK_REALTIME, &now) < 0 ||
	    nanoseconds(sb.st_ctim) + YOUNG_NS > nanoseconds(now))
		return false;
	*out = (struct keep_key){ .dev = sb.st_dev,
		                  .ino = sb.st_ino,
		                  .size = (uint64_t)sb.st_size,
		                  .mtime_ns = nanoseconds(sb.st_mtim),
		                  .ctime_ns = nanoseconds(sb.st_ctim),
		                  .look = checksum(str_base(name)) << 1 | is_profile };
	return true;
}

/* "DIR/u-0123456789abcdef", to be freed; NULL: no memory. */
static char *entry_path(const char *dir, const struct keep_key *key)
{
	char *path;
	uint64_t name = checksum((struct str){ (const char *)key, sizeof(*key) });

	if (asprintf(&path, "%s/u-%016llx", dir, (unsigned long long)name) < 0)
		return NULL;
	return path;
}

static uint64_t padded(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

/* One member of the index at the front of *index; false: it is not all there. */
static bool read_member(struct source *s, struct str *index, struct str entry,
                        struct member *m)
{
	uint64_t field[ENTRY_FIELDS];
	struct str name, bytes;

	if (index->n < sizeof(field))
		return false;
	memcpy(field, index->p, sizeof(field));
	*index = str_from(*index, sizeof(field));
	if (!field[4] || field[4] > index->n || padded(field[4]) > index->n)
		return false;
	name = str_head(*index, field[4]);
	*index = str_from(*index, padded(field[4]));
	if (field[0] > entry.n || field[1] > entry.n - field[0])
		return false;
	bytes = (struct str){ entry.p + field[0], field[1] };
	if (checksum(bytes) != field[2])
		return false;
	*m = (struct member){ .name = arena_str(s->state->opts.run, name),
		              .size = field[1],
		              .linked = field[3] != 0,
		              .off = field[0] };
	return true;
}

bool keep_read(struct source *s, struct str entry, const struct keep_key *key)
{
	struct keep_head h;
	struct str index;
	size_t least = ENTRY_FIELDS * sizeof(uint64_t) + 8;

	if (entry.n < sizeof(h))
		return false;
	memcpy(&h, entry.p, sizeof(h));
	index = str_from(entry, sizeof(h));
	if (memcmp(h.magic, magic, sizeof(magic)) != 0 || h.version != VERSION ||
	    memcmp(&h.key, key, sizeof(*key)) != 0 || h.bytes != entry.n ||
	    h.index_bytes > index.n || h.members > h.index_bytes / least)
		return false;
	index = str_head(index, h.index_bytes);
	if (checksum(index) != h.sum)
		return false;
	s->members = arena_new(s->state->opts.run, struct member, h.members + 1);
	for (s->n = 0; s->n < h.members; s->n++)
		if (!read_member(s, &index, entry, &s->members[s->n])) {
			s->n = 0;
			return false;
		}
	return true;
}

/* Maps the entry; what it was used for last is what is kept longest. */
static bool open_entry(struct spool *sp, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat sb;
	void *p;

	if (fd < 0)
		return false;
	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode) || sb.st_uid != geteuid() ||
	    sb.st_size < (off_t)sizeof(struct keep_head))
		goto fail;
	p = mmap(NULL, (size_t)sb.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		goto fail;
	(void)futimens(fd, NULL);
	sp->fd = fd;
	sp->end = (uint64_t)sb.st_size;
	sp->map = (struct str){ p, (size_t)sb.st_size };
	return true;
fail:
	close(fd);
	return false;
}

struct writing {
	int fd;
	uint64_t at;
	bool bad;
};

static void put(struct writing *w, const void *p, uint64_t n)
{
	const char *from = p;

	while (n && !w->bad) {
		ssize_t got = pwrite(w->fd, from, n, (off_t)w->at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			w->bad = true;
			return;
		}
		from += got;
		n -= (uint64_t)got;
		w->at += (uint64_t)got;
	}
}

static uint64_t index_bytes(const struct source *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += ENTRY_FIELDS * sizeof(uint64_t) + padded(s->members[i].name.n);
	return n;
}

/* The spool's bytes keep their order and distance, from the page at base on. */
static struct str make_index(const struct source *s, uint64_t base, struct arena *a)
{
	uint64_t n = index_bytes(s);
	char *to = arena_new(a, char, n + 1), *p = to;

	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = &s->members[i];
		uint64_t field[ENTRY_FIELDS] = { base + m->off, m->size, checksum(m->map),
			                         m->linked, m->name.n };

		memcpy(p, field, sizeof(field));
		memcpy(p + sizeof(field), m->name.p, m->name.n);
		p += sizeof(field) + padded(m->name.n);
	}
	return (struct str){ to, n };
}

static void write_entry(struct writing *w, const struct source *s,
                        const struct keep_key *key)
{
	struct arena scratch = { 0 };
	struct keep_head h = { .version = VERSION, .key = *key, .members = s->n };
	struct str index, bytes = s->state->spool.map;
	uint64_t base;

	h.index_bytes = index_bytes(s);
	base = (sizeof(h) + h.index_bytes + PAGE - 1) / PAGE * PAGE;
	index = make_index(s, base, &scratch);
	memcpy(h.magic, magic, sizeof(magic));
	h.sum = checksum(index);
	h.bytes = base + bytes.n;
	put(w, &h, sizeof(h));
	put(w, index.p, index.n);
	w->at = base;
	put(w, bytes.p, bytes.n);
	/* An archive of empty files ends in the hole before its first page. */
	w->bad |= ftruncate(w->fd, (off_t)h.bytes) < 0;
	arena_release(&scratch);
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

struct kept {
	char name[32];
	uint64_t bytes, used_ns;
};

static int oldest_first(const void *pa, const void *pb)
{
	const struct kept *a = pa, *b = pb;

	return (a->used_ns > b->used_ns) - (a->used_ns < b->used_ns);
}

/* Entries of the directory, and what is left of those that were never finished. */
static size_t list_kept(DIR *dir, struct arena *a, struct kept **out, uint64_t *bytes)
{
	struct kept *list = NULL;
	size_t n = 0, cap = 0;
	struct dirent *d;
	struct stat sb;
	time_t now = time(NULL);

	*bytes = 0;
	while ((d = readdir(dir)) != NULL) {
		bool part = strncmp(d->d_name, "part-", 5) == 0;

		if (!part &&
		    (strncmp(d->d_name, "u-", 2) != 0 || strlen(d->d_name) != 18))
			continue;
		if (fstatat(dirfd(dir), d->d_name, &sb, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(sb.st_mode))
			continue;
		if (part && now - sb.st_mtime > STALE_SECONDS)
			unlinkat(dirfd(dir), d->d_name, 0);
		if (part)
			continue;
		list = arena_grow(a, list, &cap, n + 1, sizeof(*list));
		memcpy(list[n].name, d->d_name, strlen(d->d_name));
		list[n].bytes = (uint64_t)sb.st_blocks * 512;
		list[n].used_ns = nanoseconds(sb.st_mtim);
		*bytes += list[n++].bytes;
	}
	*out = list;
	return n;
}

static void make_room(const char *path, uint64_t max)
{
	struct arena scratch = { 0 };
	DIR *dir = opendir(path);
	struct kept *list;
	uint64_t bytes;
	size_t n;

	if (!dir)
		return;
	n = list_kept(dir, &scratch, &list, &bytes);
	if (n)
		qsort(list, n, sizeof(*list), oldest_first);
	for (size_t i = 0; i < n && bytes > max; i++) {
		unlinkat(dirfd(dir), list[i].name, 0);
		bytes -= list[i].bytes;
	}
	closedir(dir);
	arena_release(&scratch);
}

void keep_store(struct source *s, const struct keep_key *key)
{
	const struct source_opts *o = &s->state->opts;
	char *part = NULL, *path = entry_path(o->cache, key);
	struct writing w = { .fd = -1 };

	if (!path || !is_worth(s) || s->state->spool.end > o->cache_max ||
	    asprintf(&part, "%s/part-XXXXXX", o->cache) < 0)
		goto out;
	w.fd = mkostemp(part, O_CLOEXEC);
	if (w.fd < 0)
		goto out;
	write_entry(&w, s, key);
	close(w.fd);
	if (w.bad || rename(part, path) < 0)
		unlink(part);
	make_room(o->cache, o->cache_max);
out:
	free(part);
	free(path);
}

bool keep_load(struct source *s, const struct keep_key *key)
{
	struct source_state *st = s->state;
	uint64_t max = st->opts.max_spool;
	char *path = entry_path(st->opts.cache, key);
	bool good = path && open_entry(&st->spool, path);

	if (good &&
	    !(keep_read(s, st->spool.map, key) && (!max || st->spool.end <= max))) {
		spool_close(&st->spool);
		spool_init(&st->spool, max);
		good = false;
	}
	if (good)
		make_room(st->opts.cache, st->opts.cache_max);
	free(path);
	return good;
}
