#include "base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

/* Creates a file without a name in the directory of `path`.  Returns -1 if this is impossible. */
static int open_nameless(const char *path)
{
	struct str dir = { path, str_rfind(str_of(path), '/') };
	char *z = dir.n < strlen(path) ? strndup(path, dir.n ? dir.n : 1) : strdup(".");
	int fd = z ? open(z, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;

	free(z);
	return fd;
}

static int open_named(struct place *p)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	if (asprintf(&p->temp, "%s.XXXXXX", p->path) < 0) {
		p->temp = NULL;
		return -1;
	}
	fd = mkostemp(p->temp, O_CLOEXEC);
	if (fd >= 0)
		fchmod(fd, 0666 & ~mask);
	return fd;
}

int place_begin(struct place *p, const char *path)
{
	*p = (struct place){ .fd = open_nameless(path), .path = path };
	if (p->fd < 0)
		p->fd = open_named(p);
	if (p->fd >= 0)
		return 0;
	free(p->temp);
	p->temp = NULL;
	return -1;
}

/* Gives the file the name `path`.  link(2) cannot replace an existing file. */
static int link_as(const struct place *p, const char *path)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", p->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Gives the file a temporary name, with which it can replace another file. */
static int give_name(struct place *p)
{
	struct stat sb;

	if (p->temp)
		return 0;
	/*
	 * The name contains the inode, so it differs from the name of a file that a
	 * killed process left.
	 */
	if (fstat(p->fd, &sb) < 0)
		return -1;
	if (asprintf(&p->temp, "%s.%ju.part", p->path, (uintmax_t)sb.st_ino) < 0) {
		p->temp = NULL;
		errno = ENOMEM;
		return -1;
	}
	if (link_as(p, p->temp) == 0)
		return 0;
	free(p->temp);
	p->temp = NULL;
	return -1;
}

int place_end(struct place *p)
{
	int error = 0;

	if ((p->temp || link_as(p, p->path) < 0) &&
	    (give_name(p) < 0 || rename(p->temp, p->path) < 0))
		error = errno;
	/*
	 * If both names are links to this file, rename does not remove the temporary name.
	 * place_drop removes it.
	 */
	place_drop(p);
	errno = error;
	return error ? -1 : 0;
}

void place_drop(struct place *p)
{
	if (p->temp)
		unlink(p->temp);
	free(p->temp);
	p->temp = NULL;
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
