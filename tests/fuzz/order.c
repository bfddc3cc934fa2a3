/*
 * An order of the cache (cache/order.h) as a maker receives it: the kind, the list, and the file or
 * archive of the entry.  The first byte chooses the kind, the next two contain the size of the list.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bind/native/made_tables.h"
#include "image/locate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KINDS = 3 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static int file_of(struct str bytes)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	return fd;
}

static void learn(struct cache *c, const struct order *o, struct budget *budget,
                  struct arena *a)
{
	struct source_opts opts = { .look = locate_look,
		                    .cache = c,
		                    .run = a,
		                    .budget = budget,
		                    .diag = budget->diag };
	char path[64];
	struct interner names;
	struct locator l;
	struct source *s;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", o->fd[0]);
	s = source_open(path, &opts);
	intern_init(&names, a);
	locate_init(&l, a, &names);
	if (s) {
		locate_add(&l, s, false, s->n);
		locate_learn(&l, o->list);
	}
	source_close(s);
}

static void make(struct order *o, const char *dir)
{
	struct diag diag = { .prog = "order", .quiet = true };
	struct budget budget = { .diag = &diag };
	struct arena a = { 0 };
	struct cache cache;

	must(cache_open(&cache, dir, 1 << 20));
	if (made_tables_kind(o->kind))
		made_tables(&cache, o, &budget, &a);
	else
		learn(&cache, o, &budget, &a);
	cache_close(&cache);
	arena_release(&a);
}

static void empty(const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;

	must(d != NULL);
	while ((e = readdir(d)) != NULL)
		unlinkat(dirfd(d), e->d_name, 0);
	closedir(d);
	must(rmdir(dir) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str all = { (const char *)data, size };
	size_t n = size < 3 ? 0 : (size_t)(data[1] | data[2] << 8);
	struct order o = { .kind = "tdu"[size ? data[0] % KINDS : 0],
		           .files = 1,
		           .name = { STR("file") },
		           .list = str_head(str_from(all, 3), n) };
	char dir[] = "/tmp/order-XXXXXX";

	must(mkdtemp(dir) != NULL);
	o.fd[0] = file_of(str_from(all, 3 + n));
	make(&o, dir);
	/* The second run reads the entry that the first one wrote. */
	make(&o, dir);
	close(o.fd[0]);
	empty(dir);
	return 0;
}
