#include "source/unpacked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/out.h"
#include "source/spool.h"

static int open_there(struct unpacked *u, struct arena *a)
{
	struct keeper_message m = { .kind = KEEPER_DIRECTORY };

	if (keeper_ask(u->keeper, &m, -1, NULL) < 0)
		return -1;
	u->id = m.number[0];
	u->path = arena_str(a, str_of(m.path));
	return 0;
}

int unpacked_open(struct unpacked *u, const struct keeper *keeper, struct arena *a)
{
	struct str path;

	*u = (struct unpacked){ .fd = -1, .keeper = keeper };
	if (keeper)
		return open_there(u, a);
	path = arena_fmt(a, "%s/offbox-XXXXXX", spool_directory());
	if (!mkdtemp((char *)(uintptr_t)path.p))
		return -1;
	u->path = path;
	u->fd = open(path.p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (u->fd >= 0)
		return 0;
	rmdir(path.p);
	return -1;
}

int unpacked_file(struct unpacked *u, const char *name)
{
	struct keeper_message m = { .kind = KEEPER_MEMBER, .number = { u->id } };
	int fd = -1;

	if (u->keeper) {
		snprintf(m.path, sizeof(m.path), "%s", name);
		return keeper_ask(u->keeper, &m, -1, &fd) < 0 ? -1 : fd;
	}
	unlinkat(u->fd, name, 0);
	return openat(u->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	              0600);
}

int unpacked_put(struct unpacked *u, const char *name, struct str bytes)
{
	int fd = unpacked_file(u, name), got, error;

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
	struct keeper_message m = { .kind = KEEPER_REMOVE, .number = { u->id } };

	if (u->keeper)
		(void)keeper_ask(u->keeper, &m, -1, NULL);
	if (u->fd < 0)
		return;
	for (size_t i = 0; i < n; i++)
		unlinkat(u->fd, names[i], 0);
	close(u->fd);
	u->fd = -1;
	rmdir(u->path.p);
}
