/*
 * An entry, in the byte order of the machine (another byte order is another version):
 *
 * 	"offboxK4"  kind and sources  checksum of its subject  bytes in all  bytes of the front
 * 	checksum of all this and the front   (64 bytes so far)   front   content
 *
 * It is the file "u-0123456789abcdef", named by its kind and half the checksum of its subject.
 *
 * Checksums are XXH3 of 128 bits, with the secret in the file "key".
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
#include "base/hash.h"
#include "base/out.h"

/* A checksum of lib/, set by GNUmakefile: entries of one version are not valid for another. */
#ifndef SOURCES_SUM
#define SOURCES_SUM 0u
#endif

enum {
	MAGIC = 8,            /* bytes of the format's name */
	STALE_SECONDS = 3600, /* age of a file that a dead program was writing */
	NAME_CHARS = 18,
	SWEEP_SHARE = 8, /* of max: so much may be stored before entries are counted */
};

struct head {
	char magic[MAGIC];
	uint64_t kind;
	struct cache_sum of;
	uint64_t bytes, front;
	struct cache_sum sum;
};

_Static_assert(sizeof(struct head) == CACHE_HEAD, "size in the format");

static const char magic[MAGIC + 1] = "offboxK4";
static const char kinds[] = "umdti";

struct cache_sum cache_sum(const struct cache *c, struct str bytes)
{
	uint64_t sum[2];

	hash_secret(c->key, bytes, sum);
	return (struct cache_sum){ sum[0], sum[1] };
}

/* The checksum of an entry's head and front. */
static struct cache_sum sum_entry(const struct cache *c, struct head h, struct str front)
{
	h.sum = cache_sum(c, front);
	return cache_sum(c, (struct str){ (const char *)&h, sizeof(h) });
}

static int64_t nanoseconds(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void spell(char *to, size_t room, const struct cache_name *name)
{
	snprintf(to, room, "%c-%016llx", name->kind, (unsigned long long)name->of.a);
}

static uint64_t kind_of(const struct cache_name *name)
{
	return (uint64_t)(unsigned char)name->kind << 32 | SOURCES_SUM;
}

/* A file of this user's own, or -1. */
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
	ssize_t got = fd < 0 ? -1 : read(fd, c->key, sizeof(c->key));

	if (fd >= 0)
		close(fd);
	return got == sizeof(c->key) && sb.st_size == sizeof(c->key);
}

void cache_begin(struct cache *c, struct cache_writing *w)
{
	uint64_t chance;

	*w = (struct cache_writing){ .cache = c, .fd = -1, .at = CACHE_HEAD };
	if (!cache_is_open(c) || getrandom(&chance, sizeof(chance), 0) != sizeof(chance))
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

/* Several programs may start at once: one makes the key, the others read it. */
static bool make_key(struct cache *c)
{
	struct cache_writing w;

	if (getrandom(c->key, sizeof(c->key), 0) != sizeof(c->key))
		return false;
	cache_begin(c, &w);
	if (w.fd < 0)
		return false;
	put_at(&w, c->key, sizeof(c->key), 0);
	close(w.fd);
	if (!w.bad && linkat(c->dir, w.name, c->dir, "key", 0) < 0 && errno == EEXIST &&
	    !read_key(c)) {
		/* Another version, or damage: its entries cannot be read either. */
		unlinkat(c->dir, "key", 0);
		w.bad = linkat(c->dir, w.name, c->dir, "key", 0) < 0;
	}
	unlinkat(c->dir, w.name, 0);
	return !w.bad && read_key(c);
}

static int64_t changed_ns(const struct cache *c)
{
	struct stat sb;

	return fstat(c->dir, &sb) < 0 ? 0 : nanoseconds(sb.st_mtim);
}

/* Who writes to the directory may replace what is in it, and who owns it may let others write. */
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

bool cache_check(const struct cache *c, struct str bytes, const struct cache_name *name,
                 struct str *front)
{
	struct cache_sum sum;
	struct head h;

	if (bytes.n < sizeof(h))
		return false;
	memcpy(&h, bytes.p, sizeof(h));
	if (memcmp(h.magic, magic, MAGIC) != 0 || h.kind != kind_of(name) ||
	    h.of.a != name->of.a || h.of.b != name->of.b || h.bytes != bytes.n ||
	    h.front > bytes.n - sizeof(h))
		return false;
	*front = str_head(str_from(bytes, sizeof(h)), h.front);
	sum = sum_entry(c, h, *front);
	return sum.a == h.sum.a && sum.b == h.sum.b;
}

bool cache_load(struct cache *c, const struct cache_name *name, struct cache_entry *out)
{
	char file[32];
	struct stat sb;
	void *p;
	int fd;

	*out = (struct cache_entry){ 0 };
	if (!cache_is_open(c))
		return false;
	spell(file, sizeof(file), name);
	fd = open_own(c, file, &sb);
	if (fd < 0)
		return false;
	p = sb.st_size > 0 ? mmap(NULL, (size_t)sb.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
	                   : MAP_FAILED;
	if (p != MAP_FAILED) {
		(void)futimens(fd, NULL);
		out->map = (struct str){ p, (size_t)sb.st_size };
	}
	close(fd);
	if (p != MAP_FAILED && cache_check(c, out->map, name, &out->front))
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
	char file[32];

	spell(file, sizeof(file), name);
	unlinkat(c->dir, file, 0);
}

struct kept {
	char name[NAME_CHARS + 1];
	uint64_t bytes;
	int64_t used_ns;
};

static int oldest_first(const void *pa, const void *pb)
{
	const struct kept *a = pa, *b = pb;

	return (a->used_ns > b->used_ns) - (a->used_ns < b->used_ns);
}

static bool is_entry(const char *name)
{
	return name[0] && strchr(kinds, name[0]) && name[1] == '-' &&
	       strlen(name) == NAME_CHARS &&
	       strspn(name + 2, "0123456789abcdef") == NAME_CHARS - 2;
}

/* Lists the entries of the directory, and files that were never finished. */
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
		list = arena_grow(a, list, &cap, n + 1, sizeof(*list));
		memcpy(list[n].name, d->d_name, NAME_CHARS + 1);
		list[n].bytes = (uint64_t)sb.st_blocks * 512;
		list[n].used_ns = nanoseconds(sb.st_mtim);
		*bytes += list[n++].bytes;
	}
	*out = list;
	return n;
}

static void sweep(struct cache *c)
{
	int fd = openat(c->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct arena scratch = { 0 };
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
		qsort(list, n, sizeof(*list), oldest_first);
	for (size_t i = 0; i < n && bytes > c->max; i++) {
		unlinkat(c->dir, list[i].name, 0);
		bytes -= list[i].bytes;
	}
	closedir(dir);
	arena_release(&scratch);
}

void cache_end(struct cache_writing *w, const struct cache_name *name, struct str front)
{
	struct cache *c = w->cache;
	struct head h = {
		.kind = kind_of(name), .of = name->of, .bytes = w->at, .front = front.n
	};
	char file[32];

	if (w->fd < 0)
		return;
	memcpy(h.magic, magic, MAGIC);
	h.sum = sum_entry(c, h, front);
	put_at(w, &h, sizeof(h), 0);
	/* It may end in a hole. */
	w->bad |= ftruncate(w->fd, (off_t)w->at) < 0;
	close(w->fd);
	spell(file, sizeof(file), name);
	if (w->bad || w->at > c->max || renameat(c->dir, w->name, c->dir, file) < 0)
		unlinkat(c->dir, w->name, 0);
	c->stored += w->at;
	if (c->stored > c->max / SWEEP_SHARE)
		sweep(c);
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

/* Others, and workers of this program, may have stored something as well. */
void cache_close(struct cache *c)
{
	if (!cache_is_open(c))
		return;
	if (c->resized || changed_ns(c) != c->changed_ns)
		sweep(c);
	close(c->dir);
	c->dir = -1;
}
