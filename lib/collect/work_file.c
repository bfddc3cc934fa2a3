#include "collect/work_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/out.h"

enum { CHUNK = 1 << 16 };

int work_file_open(void)
{
	const char *dir = getenv("TMPDIR");
	char name[PATH_MAX];
	int fd, n;

	dir = dir && *dir ? dir : "/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	n = snprintf(name, sizeof(name), "%s/offbox-collect.XXXXXX", dir);
	if (n < 0 || (size_t)n >= sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

struct str work_file_bytes(int fd, uint64_t most, struct arena *a)
{
	struct stat st;
	struct str s = { 0 };
	char *to;

	if (fstat(fd, &st) < 0 || st.st_size <= 0 || (uint64_t)st.st_size > most)
		return s;
	to = arena_alloc(a, (size_t)st.st_size, 1);
	while (s.n < (size_t)st.st_size) {
		ssize_t n = pread(fd, to + s.n, (size_t)st.st_size - s.n, (off_t)s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		s = (struct str){ to, s.n + (size_t)n };
	}
	return s;
}

int work_file_copy(int from, int to)
{
	char chunk[CHUNK];

	for (;;) {
		ssize_t n = read(from, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -1 : 0;
		if (out_all(to, (struct str){ chunk, (size_t)n }) < 0)
			return -1;
	}
}

bool work_file_is_ascii(int fd)
{
	unsigned char chunk[CHUNK], all = 0;
	off_t at = 0;

	for (;;) {
		ssize_t n = pread(fd, chunk, sizeof(chunk), at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return all < 0x80;
		for (ssize_t i = 0; i < n; i++)
			all |= chunk[i];
		at += n;
	}
}
