/*
 * An entry consists of a head of 64 bytes, a front and the content.  The head contains:
 *
 * 	 8 bytes  "offboxK5"
 * 	 8 bytes  kind of the entry, and checksum of lib/
 * 	16 bytes  checksum of the subject
 * 	 8 bytes  size of the entry in bytes
 * 	 8 bytes  size of the front in bytes
 * 	16 bytes  checksum of the fields above and of the front
 *
 * Numbers have the byte order of the machine.  An entry in another byte order is not valid.
 * The file name "u-0123456789abcdef" consists of the kind and half of the checksum of the
 * subject.
 *
 * Checksums are XXH3 of 128 bits.  The file "key" contains two secrets: the key for checksums
 * of names and contents, and the seal, which is the key for checksums of heads and fronts.
 */
#include "cache/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/out.h"
#include "base/pages.h"

/*
 * A checksum of lib/, set by GNUmakefile.  It is part of each entry, because entries of another
 * version are not valid.
 */
#ifndef SOURCES_SUM
#define SOURCES_SUM 0u
#endif

enum {
	MAGIC = 8, /* size of the format's name in bytes */
	/* age at which an unfinished file is removed, because its writer must have ended */
	STALE_SECONDS = 3600,
	NAME_CHARS = 18,
	SWEEP_SHARE = 8, /* sweep is called each time 1/8 of `max` was stored */
};

struct head {
	char magic[MAGIC];
	uint64_t kind;
	struct cache_sum of;
	uint64_t bytes, front;
	struct cache_sum sum;
};

_Static_assert(sizeof(struct head) == CACHE_HEAD, "size in the format");

static const char magic[MAGIC + 1] = "offboxK5";
static const char kinds[] = "umdtiDT";

struct cache_sum cache_sum(const struct cache *c, struct str bytes)
{
	uint64_t sum[2];

	hash_secret(c->key, bytes, sum);
	return (struct cache_sum){ sum[0], sum[1] };
}

static struct cache_sum seal(const struct cache *c, struct str bytes)
{
	uint64_t sum[2];

	hash_secret(c->seal, bytes, sum);
	return (struct cache_sum){ sum[0], sum[1] };
}

struct cache_sum cache_secret_sum(const struct cache *c, struct str bytes)
{
	return seal(c, bytes);
}

/* Returns the checksum of an entry's head and front. */
static struct cache_sum sum_entry(const struct cache *c, struct head h, struct str front)
{
	h.sum = seal(c, front);
	return seal(c, (struct str){ (const char *)&h, sizeof(h) });
}

static void spell(char *to, size_t room, const struct cache_name *name)
{
	snprintf(to, room, "%c-%016llx", name->kind, (unsigned long long)name->of.a);
}

struct cache_name cache_part(const struct cache_name *name, unsigned part)
{
	return (struct cache_name){
		name->kind, { name->of.a + part * 0x9e3779b97f4a7c15u, name->of.b }
	};
}

static uint64_t kind_of(const struct cache_name *name)
{
	return (uint64_t)(unsigned char)name->kind << 32 | SOURCES_SUM;
}

/* Opens a file that belongs to this user, or returns -1. */
static int open_own(const struct cache *c, const char *name, struct stat *sb)
{
	int fd = openat(c->dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, sb) < 0 || !S_ISREG(sb->st_mode) ||
	                sb->st_uid != geteuid() || sb->st_mode & (S_IWGRP | S_IWOTH))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool read_key(struct cache *c)
{
	struct stat sb;
	int fd = open_own(c, "key", &sb);
	bool good = fd >= 0 && read(fd, c->key, HASH_SECRET) == HASH_SECRET &&
	            read(fd, c->seal, HASH_SECRET) == HASH_SECRET &&
	            sb.st_size == 2 * HASH_SECRET;

	if (fd >= 0)
		close(fd);
	return good;
}

void cache_give_to_keeper(struct cache *c, const struct keeper *k)
{
	if (c->dir >= 0)
		close(c->dir);
	c->keeper = c->dir >= 0 ? k : NULL;
	c->dir = -1;
	explicit_bzero(c->seal, sizeof(c->seal));
}

static void begin_there(struct cache_writing *w)
{
	struct keeper_message m = { .kind = KEEPER_BEGIN };

	if (keeper_ask(w->cache->keeper, &m, -1, &w->fd) == 0)
		w->id = m.number[0];
}

void cache_begin(struct cache *c, struct cache_writing *w)
{
	uint64_t chance;

	*w = (struct cache_writing){ .cache = c, .fd = -1, .at = CACHE_HEAD };
	if (!cache_is_open(c))
		return;
	if (c->keeper) {
		begin_there(w);
		return;
	}
	if (getrandom(&chance, sizeof(chance), 0) != sizeof(chance))
		return;
	snprintf(w->name, sizeof(w->name), "part-%016llx", (unsigned long long)chance);
	w->fd = openat(c->dir, w->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static void put_at(struct cache_writing *w, const void *p, uint64_t n, uint64_t at)
{
	w->bad =
	        w->bad || (w->fd >= 0 && out_all_at(w->fd, (struct str){ p, n }, at) < 0);
}

void cache_put(struct cache_writing *w, const void *p, uint64_t n)
{
	put_at(w, p, n, w->at);
	w->at += n;
}

/*
 * Creates the file with the keys.  If several programs start at once, one program creates the
 * file, and the others read it.
 */
static bool make_key(struct cache *c)
{
	unsigned char secrets[2 * HASH_SECRET];
	struct cache_writing w;

	if (getrandom(secrets, sizeof(secrets), 0) != sizeof(secrets))
		return false;
	cache_begin(c, &w);
	if (w.fd < 0)
		return false;
	put_at(&w, secrets, sizeof(secrets), 0);
	explicit_bzero(secrets, sizeof(secrets));
	close(w.fd);
	if (!w.bad && linkat(c->dir, w.name, c->dir, "key", 0) < 0 && errno == EEXIST &&
	    !read_key(c)) {
		/*
		 * Replaces a file that is damaged or from another version.  All entries were
		 * already unreadable.
		 */
		unlinkat(c->dir, "key", 0);
		w.bad = linkat(c->dir, w.name, c->dir, "key", 0) < 0;
	}
	unlinkat(c->dir, w.name, 0);
	return !w.bad && read_key(c);
}

static int64_t changed_ns(const struct cache *c)
{
	struct stat sb;

	return fstat(c->dir, &sb) < 0 ? 0 : (int64_t)clock_ns(sb.st_mtim);
}

/*
 * Returns true if only this user can replace files in the directory, as its owner and the only
 * user with write permission.
 */
static bool is_own(int dir)
{
	struct stat sb;

	if (fstat(dir, &sb) < 0)
		return false;
	errno = EPERM;
	return sb.st_uid == geteuid() && !(sb.st_mode & (S_IWGRP | S_IWOTH));
}

bool cache_open(struct cache *c, const char *dir, uint64_t max)
{
	*c = (struct cache){ .max = max };
	c->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->dir < 0)
		return false;
	c->changed_ns = changed_ns(c);
	if (is_own(c->dir) && (read_key(c) || make_key(c)))
		return true;
	close(c->dir);
	c->dir = -1;
	return false;
}

/* Reads the head if it belongs to an entry with that name.  Does not check the checksum. */
static bool parse_head(struct str bytes, uint64_t size, const struct cache_name *name,
                       struct head *h)
{
	if (bytes.n < sizeof(*h))
		return false;
	memcpy(h, bytes.p, sizeof(*h));
	return memcmp(h->magic, magic, MAGIC) == 0 && h->kind == kind_of(name) &&
	       h->of.a == name->of.a && h->of.b == name->of.b && h->bytes == size &&
	       size >= sizeof(*h) && h->front <= size - sizeof(*h);
}

/*
 * Sets e->front if the head of e->map is valid.  If there is a keeper, does not check the names
 * of "own" kinds (cache/order.h), because only the keeper knows and checks these names.
 */
static bool parse_front(const struct cache *c, struct cache_entry *e,
                        struct cache_name name)
{
	struct head h;

	if (c->keeper && cache_is_own(name.kind) && e->map.n >= sizeof(h)) {
		memcpy(&h, e->map.p, sizeof(h));
		name.of = h.of;
	}
	if (!parse_head(e->map, e->map.n, &name, &h))
		return false;
	e->front = str_head(str_from(e->map, sizeof(h)), h.front);
	pages_read(e->front.p, e->front.n);
	return true;
}

bool cache_check(const struct cache *c, struct str bytes, const struct cache_name *name,
                 struct str *front)
{
	struct cache_sum sum;
	struct head h;

	if (!parse_head(bytes, bytes.n, name, &h))
		return false;
	*front = str_head(str_from(bytes, sizeof(h)), h.front);
	sum = sum_entry(c, h, *front);
	return sum.a == h.sum.a && sum.b == h.sum.b;
}

/*
 * Returns n bytes at `at`, allocated with malloc.  The file is not mapped, because another
 * process may truncate it.
 */
static char *read_at(int fd, uint64_t n, uint64_t at)
{
	char *p = malloc(n + !n);
	uint64_t got = 0;

	if (p)
		pages_write(p, n);
	while (p && got < n) {
		ssize_t more = pread(fd, p + got, n - got, (off_t)(at + got));

		if (more <= 0) {
			free(p);
			return NULL;
		}
		got += (uint64_t)more;
	}
	return p;
}

static bool is_sound(const struct cache *c, int fd, uint64_t size,
                     const struct cache_name *name)
{
	struct cache_sum sum;
	struct head h;
	char *front;

	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    !parse_head((struct str){ (const char *)&h, sizeof(h) }, size, name, &h))
		return false;
	front = read_at(fd, h.front, sizeof(h));
	if (!front)
		return false;
	sum = sum_entry(c, h, (struct str){ front, h.front });
	free(front);
	return sum.a == h.sum.a && sum.b == h.sum.b;
}

bool cache_knows_kind(char kind)
{
	return kind && strchr(kinds, kind);
}

int cache_entry_open(const struct cache *c, const struct cache_name *name)
{
	char file[32];
	struct stat sb;
	int fd;

	spell(file, sizeof(file), name);
	fd = open_own(c, file, &sb);
	if (fd < 0 || is_sound(c, fd, (uint64_t)sb.st_size, name))
		return fd;
	close(fd);
	return -1;
}

static int load_there(const struct cache *c, const struct cache_name *name)
{
	struct keeper_message m = { .kind = KEEPER_LOAD,
		                    .number = { (unsigned char)name->kind, name->of.a,
		                                name->of.b } };
	int fd = -1;

	return keeper_ask(c->keeper, &m, -1, &fd) < 0 ? -1 : fd;
}

bool cache_load(struct cache *c, const struct cache_name *name, struct cache_entry *out)
{
	struct stat sb;
	void *p;
	int fd;

	*out = (struct cache_entry){ 0 };
	if (!cache_is_open(c))
		return false;
	fd = c->keeper ? load_there(c, name) : cache_entry_open(c, name);
	if (fd < 0)
		return false;
	if (!c->keeper)
		(void)futimens(fd, NULL);
	p = fstat(fd, &sb) == 0 && sb.st_size > 0
	            ? mmap(NULL, (size_t)sb.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
	            : MAP_FAILED;
	close(fd);
	if (p == MAP_FAILED)
		return false;
	out->map = (struct str){ p, (size_t)sb.st_size };
	if (parse_front(c, out, *name))
		return true;
	cache_unload(out);
	return false;
}

void cache_unload(struct cache_entry *e)
{
	if (e->map.n)
		munmap((void *)(uintptr_t)e->map.p, e->map.n);
	*e = (struct cache_entry){ 0 };
}

void cache_forget(struct cache *c, const struct cache_name *name)
{
	struct keeper_message m = { .kind = KEEPER_FORGET,
		                    .number = { (unsigned char)name->kind, name->of.a,
		                                name->of.b } };
	char file[32];

	if (c->keeper) {
		(void)keeper_ask(c->keeper, &m, -1, NULL);
		return;
	}
	spell(file, sizeof(file), name);
	unlinkat(c->dir, file, 0);
}

struct kept {
	char name[NAME_CHARS + 1];
	uint64_t bytes;
	int64_t used_ns;
};

ORDER(oldest_first, struct kept, num_cmp(a->used_ns, b->used_ns))

static bool is_entry(const char *name)
{
	return name[0] && strchr(kinds, name[0]) && name[1] == '-' &&
	       strlen(name) == NAME_CHARS &&
	       strspn(name + 2, "0123456789abcdef") == NAME_CHARS - 2;
}

/* Lists the entries in the directory, including unfinished files. */
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

		if (!part && !is_entry(d->d_name))
			continue;
		if (fstatat(dirfd(dir), d->d_name, &sb, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(sb.st_mode))
			continue;
		if (part && now - sb.st_mtime > STALE_SECONDS)
			unlinkat(dirfd(dir), d->d_name, 0);
		else if (part)
			*bytes += (uint64_t)sb.st_blocks * 512;
		if (part)
			continue;
		arena_fit(a, list, n + 1, cap);
		memcpy(list[n].name, d->d_name, NAME_CHARS + 1);
		list[n].bytes = (uint64_t)sb.st_blocks * 512;
		list[n].used_ns = (int64_t)clock_ns(sb.st_mtim);
		*bytes += list[n++].bytes;
	}
	*out = list;
	return n;
}

static void sweep(struct cache *c)
{
	int fd = openat(c->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	arena_scope(scratch);
	struct kept *list;
	uint64_t bytes;
	size_t n;

	c->stored = 0;
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	n = list_kept(dir, &scratch, &list, &bytes);
	if (n && bytes > c->max)
		order_by(list, n, oldest_first);
	for (size_t i = 0; i < n && bytes > c->max; i++) {
		unlinkat(c->dir, list[i].name, 0);
		bytes -= list[i].bytes;
	}
	closedir(dir);
}

/* Writes the head of an entry after all other bytes were written. */
static bool complete(const struct cache *c, int fd, const struct cache_name *name,
                     const struct cache_size *size)
{
	struct head h = { .kind = kind_of(name),
		          .of = name->of,
		          .bytes = size->bytes,
		          .front = size->front };
	char *front;

	if (size->bytes < CACHE_HEAD || size->front > size->bytes - CACHE_HEAD ||
	    size->bytes > c->max || ftruncate(fd, (off_t)size->bytes) < 0)
		return false;
	front = read_at(fd, size->front, CACHE_HEAD);
	if (!front)
		return false;
	memcpy(h.magic, magic, MAGIC);
	h.sum = sum_entry(c, h, (struct str){ front, size->front });
	free(front);
	return out_all_at(fd, (struct str){ (const char *)&h, sizeof(h) }, 0) == 0;
}

/*
 * Gives the file its final name, unless a valid entry has this name.  The temporary name
 * disappears in both cases.
 */
static void give_name(const struct cache_writing *w, const struct cache_name *name)
{
	const struct cache *c = w->cache;
	char file[32];
	int fd;

	spell(file, sizeof(file), name);
	if (linkat(c->dir, w->name, c->dir, file, 0) < 0 && errno == EEXIST) {
		fd = cache_entry_open(c, name);
		if (fd >= 0)
			close(fd);
		else if (renameat(c->dir, w->name, c->dir, file) == 0)
			return;
	}
	unlinkat(c->dir, w->name, 0);
}

void cache_finish(struct cache_writing *w, const struct cache_name *name,
                  const struct cache_size *size)
{
	struct cache *c = w->cache;

	if (w->fd < 0)
		return;
	if (size && complete(c, w->fd, name, size))
		give_name(w, name);
	else
		unlinkat(c->dir, w->name, 0);
	close(w->fd);
	w->fd = -1;
	c->stored += size ? size->bytes : 0;
	if (c->stored > c->max / SWEEP_SHARE)
		sweep(c);
}

static void end_there(struct cache_writing *w, const struct cache_name *name,
                      const struct cache_size *size)
{
	struct keeper_message m = { .kind = KEEPER_STORE,
		                    .number = { w->id, (unsigned char)name->kind,
		                                name->of.a, name->of.b, size->bytes,
		                                size->front, w->bad } };

	close(w->fd);
	(void)keeper_ask(w->cache->keeper, &m, -1, NULL);
}

void cache_end(struct cache_writing *w, const struct cache_name *name, struct str front)
{
	const struct cache_size size = { w->at, front.n };

	if (w->fd >= 0 && w->cache->keeper)
		end_there(w, name, &size);
	else
		cache_finish(w, name, w->bad ? NULL : &size);
}

void cache_store(struct cache *c, const struct cache_name *name, struct str front)
{
	struct cache_writing w;

	if (!cache_is_open(c) || front.n > c->max)
		return;
	cache_begin(c, &w);
	cache_put(&w, front.p, front.n);
	cache_end(&w, name, front);
}

/*
 * If the directory has changed, other programs may have stored entries, so the entries are
 * counted.
 */
void cache_close(struct cache *c)
{
	if (!c || c->dir < 0)
		return;
	if (c->resized || changed_ns(c) != c->changed_ns)
		sweep(c);
	close(c->dir);
	c->dir = -1;
}
