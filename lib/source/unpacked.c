#include "source/unpacked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/out.h"
#include "source/spool.h"

int unpacked_open(struct unpacked *u, struct arena *a)
{
	struct str path = arena_fmt(a, "%s/offbox-XXXXXX", spool_directory());

	*u = (struct unpacked){ .fd = -1 };
	if (!mkdtemp((char *)(uintptr_t)path.p))
		return -1;
	u->path = path;
	u->fd = open(path.p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (u->fd >= 0)
		return 0;
	rmdir(path.p);
	return -1;
}

int unpacked_put(struct unpacked *u, const char *name, struct str bytes)
{
	int fd, got, error;

	unlinkat(u->fd, name, 0);
	fd = openat(u->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	            0600);
	if (fd < 0)
		return -1;
	got = out_all(fd, bytes);
	error = errno;
	close(fd);
	errno = error;
	return got;
}

void unpacked_close(struct unpacked *u, const char *const *names, size_t n)
{
	if (u->fd < 0)
		return;
	for (size_t i = 0; i < n; i++)
		unlinkat(u->fd, names[i], 0);
	close(u->fd);
	u->fd = -1;
	rmdir(u->path.p);
}
