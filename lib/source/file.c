#include "source/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * If the last change of a file is older than YOUNG_NS, the next change gets a different time
 * stamp.  COARSE_NS applies to time stamps in whole seconds, which may be the resolution of the
 * file system.
 */
static const uint64_t YOUNG_NS = 100000000, COARSE_NS = 2100000000;

ssize_t file_read(int fd, void *p, size_t n)
{
	for (;;) {
		ssize_t got = read(fd, p, n);

		if (got >= 0 || (errno != EINTR && errno != EAGAIN))
			return got;
		if (errno == EAGAIN)
			(void)poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, -1);
	}
}

ssize_t file_read_at(int fd, void *p, size_t n, uint64_t at)
{
	ssize_t got;

	do
		got = pread(fd, p, n, (off_t)at);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Returns true for a regular file that is not empty and is on an ordinary file system. */
static bool is_plain(int fd, struct stat *sb)
{
	struct statfs fs;

	return !fstat(fd, sb) && S_ISREG(sb->st_mode) && sb->st_size > 0 &&
	       !fstatfs(fd, &fs) && fs.f_type != PROC_SUPER_MAGIC &&
	       fs.f_type != SYSFS_MAGIC && fs.f_type != DEBUGFS_MAGIC &&
	       fs.f_type != TRACEFS_MAGIC;
}

/* Opens the file of an O_PATH handle or, if /proc is not mounted, the file at its path. */
static int open_again(int handle, const char *path)
{
	char link[32];
	int fd;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", handle);
	fd = open(link, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return fd < 0 && errno == ENOENT
	               ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
	               : fd;
}

int file_open_plain(const char *path)
{
	int handle = open(path, O_PATH | O_CLOEXEC), fd = -1, error;
	struct stat seen, got;

	if (handle < 0) {
		if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP ||
		    errno == ENAMETOOLONG)
			errno = 0;
		return -1;
	}
	errno = 0;
	if (is_plain(handle, &seen))
		fd = open_again(handle, path);
	error = errno;
	/* The path may now refer to another file, which is refused. */
	if (fd >= 0 && (!is_plain(fd, &got) || got.st_ino != seen.st_ino ||
	                got.st_dev != seen.st_dev)) {
		close(fd);
		fd = -1;
		error = 0;
	}
	close(handle);
	errno = error;
	return fd;
}

/* Maps n > 0 bytes of fd.  `at` need not be page-aligned. */
struct str file_map(int fd, uint64_t at, uint64_t n)
{
	uint64_t skip = at % (uint64_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, n + skip, PROT_READ, MAP_PRIVATE, fd, (off_t)(at - skip));

	if (p == MAP_FAILED)
		return (struct str){ NULL, 0 };
	return (struct str){ p + skip, n };
}

void file_unmap(struct str map)
{
	size_t skip = (uintptr_t)map.p % (size_t)sysconf(_SC_PAGESIZE);

	if (map.n)
		munmap((void *)((uintptr_t)map.p - skip), map.n + skip);
}

void file_stamp_of(const struct stat *sb, struct file_stamp *out)
{
	*out = (struct file_stamp){ .dev = sb->st_dev,
		                    .ino = sb->st_ino,
		                    .size = (uint64_t)sb->st_size,
		                    .mtime_ns = clock_ns(sb->st_mtim),
		                    .ctime_ns = clock_ns(sb->st_ctim) };
}

/*
 * Returns true if a later change of a file might get the same time as its last change, changed_ns.
 */
static bool is_young(uint64_t changed_ns, uint64_t now_ns)
{
	return changed_ns + (changed_ns % CLOCK_SECOND_NS ? YOUNG_NS : COARSE_NS) >
	       now_ns;
}

bool file_stamp(int fd, struct file_stamp *out)
{
	struct stat sb;
	struct timespec now;

	*out = (struct file_stamp){ 0 };
	if (fstat(fd, &sb) < 0 || !(S_ISREG(sb.st_mode) || S_ISDIR(sb.st_mode)) ||
	    clock_gettime(CLOCK_REALTIME, &now) < 0 ||
	    is_young(clock_ns(sb.st_ctim), clock_ns(now)))
		return false;
	file_stamp_of(&sb, out);
	return true;
}
