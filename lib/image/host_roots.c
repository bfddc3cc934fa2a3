#include "image/host_roots.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { ROOTS = 256 }; /* maximum number of open directories */

ORDER(by_pid, struct host_root, num_cmp(a->pid, b->pid))

static bool sees_same(const struct host_root *a, const struct host_root *b)
{
	return a->ns == b->ns && a->dev == b->dev && a->ino == b->ino;
}

/* Returns an entry with the mount namespace and root directory of `seen`, or NULL. */
static const struct host_root *find_same(const struct host_roots *r,
                                         const struct host_root *seen)
{
	for (size_t i = r->n; i-- > 0;)
		if (sees_same(&r->root[i], seen))
			return &r->root[i];
	return NULL;
}

/*
 * Reads the mount namespace and the root directory of a process.  Returns false if this user may
 * not read them.
 */
static bool look(int proc, const char *pid, struct host_root *out)
{
	char path[32];
	struct stat ns, root;

	snprintf(path, sizeof(path), "%.10s/ns/mnt", pid);
	if (fstatat(proc, path, &ns, 0) < 0)
		return false;
	snprintf(path, sizeof(path), "%.10s/root", pid);
	if (fstatat(proc, path, &root, 0) < 0)
		return false;
	*out = (struct host_root){ .ns = ns.st_ino,
		                   .dev = root.st_dev,
		                   .ino = root.st_ino };
	return true;
}

static bool is_shortage(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* Adds the root of a process that still runs.  Returns -1 if too many files are open. */
static int add(struct host_roots *r, struct arena *a, int proc, struct host_root seen)
{
	const struct host_root *same = find_same(r, &seen);
	char path[32];

	snprintf(path, sizeof(path), "%d/root", seen.pid);
	seen.fd = same ? same->fd : openat(proc, path, O_PATH | O_CLOEXEC);
	if (seen.fd < 0)
		return is_shortage(errno) ? -1 : 0;
	*arena_push(a, r->root, r->n, r->cap) = seen;
	return 0;
}

int host_roots_open(struct host_roots *r, struct arena *a)
{
	DIR *proc = opendir("/proc");
	const struct dirent *d;
	struct host_root own = { 0 }, seen;
	size_t opened = 0;
	int error = proc || !is_shortage(errno) ? 0 : errno;

	*r = (struct host_roots){ 0 };
	if (proc)
		look(dirfd(proc), "self", &own);
	while (proc && !error && opened < ROOTS && (d = readdir(proc)) != NULL) {
		uint64_t pid;

		if (!str_is_dec(str_of(d->d_name), &pid) || pid > INT_MAX ||
		    !look(dirfd(proc), d->d_name, &seen) || sees_same(&seen, &own))
			continue;
		seen.pid = (int32_t)pid;
		opened += !find_same(r, &seen);
		if (add(r, a, dirfd(proc), seen) < 0)
			error = errno;
	}
	if (proc)
		closedir(proc);
	order_by(r->root, r->n, by_pid);
	errno = error;
	return error ? -1 : 0;
}

int host_roots_find(const struct host_roots *r, int32_t pid)
{
	const struct host_root key = { .pid = pid }, *at = NULL;

	if (r && r->n)
		at = bsearch(&key, r->root, r->n, sizeof(*r->root), by_pid);
	return at ? at->fd : -1;
}
