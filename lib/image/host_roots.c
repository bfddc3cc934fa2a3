#include "image/host_roots.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

enum { ROOTS = 256 }; /* directories that are open at a time */

static int by_pid(const void *pa, const void *pb)
{
	const struct host_root *a = pa, *b = pb;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* The one with that /tmp; NULL: none is open. */
static const struct host_root *find_same(const struct host_roots *r, const struct stat *tmp)
{
	for (size_t i = r->n; i-- > 0;)
		if (r->root[i].dev == tmp->st_dev && r->root[i].ino == tmp->st_ino)
			return &r->root[i];
	return NULL;
}

static void add(struct host_roots *r, struct arena *a, int proc, int32_t pid,
                const struct stat *tmp)
{
	const struct host_root *same = find_same(r, tmp);
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "%d/root", pid);
	fd = same ? same->fd : openat(proc, path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return;
	r->root = arena_grow(a, r->root, &r->cap, r->n + 1, sizeof(*r->root));
	r->root[r->n++] = (struct host_root){ pid, fd, tmp->st_dev, tmp->st_ino };
}

void host_roots_open(struct host_roots *r, struct arena *a)
{
	DIR *proc = opendir("/proc");
	const struct dirent *d;
	struct stat own, tmp;
	size_t opened = 0;

	*r = (struct host_roots){ 0 };
	if (stat("/tmp", &own) < 0)
		own = (struct stat){ 0 };
	while (proc && opened < ROOTS && (d = readdir(proc)) != NULL) {
		char path[32];
		uint64_t pid;

		if (!str_is_dec(str_of(d->d_name), &pid) || pid > INT_MAX)
			continue;
		snprintf(path, sizeof(path), "%d/root/tmp", (int)pid);
		if (fstatat(dirfd(proc), path, &tmp, 0) < 0 ||
		    (tmp.st_dev == own.st_dev && tmp.st_ino == own.st_ino))
			continue;
		opened += !find_same(r, &tmp);
		add(r, a, dirfd(proc), (int32_t)pid, &tmp);
	}
	if (proc)
		closedir(proc);
	if (r->n)
		qsort(r->root, r->n, sizeof(*r->root), by_pid);
}

int host_roots_find(const struct host_roots *r, int32_t pid)
{
	const struct host_root key = { .pid = pid }, *at = NULL;

	if (r && r->n)
		at = bsearch(&key, r->root, r->n, sizeof(*r->root), by_pid);
	return at ? at->fd : -1;
}
