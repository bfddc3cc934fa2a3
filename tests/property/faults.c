/*
 * faults - for LD_PRELOAD: one call of a program fails, as if the machine had no more to give.
 *
 *	FAULT=open:7:EMFILE   the seventh open or openat; read: read and pread;
 *	                      write: write, pwrite and writev, except to standard error;
 *	                      mmap; malloc: malloc, calloc and realloc
 *	FAULT_FILE=PART       only files whose path holds PART count (open, read, mmap)
 *	FAULT_LOG=FILE        gets one line when the call has failed
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

enum { HANDLES = 4096 };

static struct {
	char call[8];
	long at, seen;
	int error;
	const char *part;
	int log; /* opened in time: a confined filter opens no file for writing */
	bool chosen[HANDLES]; /* descriptors of files that count */
} fault;

__attribute__((constructor)) static void begin(void)
{
	static const struct {
		const char *name;
		int error;
	} errors[] = { { "EMFILE", EMFILE },
		       { "EIO", EIO },
		       { "EACCES", EACCES },
		       { "ENOSPC", ENOSPC },
		       { "ENOMEM", ENOMEM } };
	const char *said = getenv("FAULT"), *colon = said ? strchr(said, ':') : NULL,
	           *error;

	if (!colon || (size_t)(colon - said) >= sizeof(fault.call))
		return;
	memcpy(fault.call, said, (size_t)(colon - said));
	fault.error = ENOMEM;
	error = strchr(colon + 1, ':');
	for (size_t i = 0; error && i < sizeof(errors) / sizeof(*errors); i++)
		if (strcmp(errors[i].name, error + 1) == 0)
			fault.error = errors[i].error;
	fault.part = getenv("FAULT_FILE");
	said = getenv("FAULT_LOG");
	fault.log = said ? (int)syscall(SYS_openat, AT_FDCWD, said,
	                                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)
	                 : -1;
	fault.at = strtol(colon + 1, NULL, 10);
}

/* Is it time?  what: for the log. */
static bool fails(const char *call, const char *what)
{
	if (!fault.at || strcmp(call, fault.call) != 0 || ++fault.seen != fault.at)
		return false;
	if (fault.log >= 0) {
		(void)syscall(SYS_write, fault.log, what, strlen(what));
		(void)syscall(SYS_write, fault.log, "\n", 1);
	}
	errno = fault.error;
	return true;
}

static bool counts(int fd)
{
	return !fault.part || (fd >= 0 && fd < HANDLES && fault.chosen[fd]);
}

static int open_at(int dir, const char *path, int flags, mode_t mode)
{
	bool chosen = !fault.part || strstr(path, fault.part);
	int fd;

	if (chosen && fails("open", path))
		return -1;
	fd = (int)syscall(SYS_openat, dir, path, flags, mode);
	if (fd >= 0 && fd < HANDLES)
		fault.chosen[fd] = chosen;
	return fd;
}

#define OPEN(name, params, dir)                                                          \
	int name params                                                                  \
	{                                                                                \
		mode_t mode = 0;                                                         \
		va_list ap;                                                              \
                                                                                         \
		va_start(ap, flags);                                                     \
		if (flags & (O_CREAT | O_TMPFILE))                                       \
			mode = va_arg(ap, mode_t);                                       \
		va_end(ap);                                                              \
		return open_at(dir, path, flags, mode);                                  \
	}

OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)

ssize_t read(int fd, void *p, size_t n)
{
	if (counts(fd) && fails("read", "read"))
		return -1;
	return syscall(SYS_read, fd, p, n);
}

ssize_t pread(int fd, void *p, size_t n, off_t at)
{
	if (counts(fd) && fails("read", "pread"))
		return -1;
	return syscall(SYS_pread64, fd, p, n, at);
}

ssize_t pread64(int fd, void *p, size_t n, off_t at)
{
	return pread(fd, p, n, at);
}

static bool write_fails(int fd, const char *what)
{
	return fd != STDERR_FILENO && fails("write", what);
}

ssize_t write(int fd, const void *p, size_t n)
{
	return write_fails(fd, "write") ? -1 : syscall(SYS_write, fd, p, n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	return write_fails(fd, "pwrite") ? -1 : syscall(SYS_pwrite64, fd, p, n, at);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off_t at)
{
	return pwrite(fd, p, n, at);
}

ssize_t writev(int fd, const struct iovec *v, int n)
{
	return write_fails(fd, "writev") ? -1 : syscall(SYS_writev, fd, v, n);
}

void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
	if (counts(fd) && fails("mmap", "mmap"))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, p, n, prot, flags, fd, at);
}

void *mmap64(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
	return mmap(p, n, prot, flags, fd, at);
}

void *malloc(size_t n)
{
	return fails("malloc", "malloc") ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails("malloc", "calloc") ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails("malloc", "realloc") ? NULL : __libc_realloc(p, n);
}
