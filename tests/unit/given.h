/*
 * given - bytes of a test as files: read from the fixtures, or made and named by a
 * path that lasts until given_none().
 */
#ifndef TESTS_GIVEN_H
#define TESTS_GIVEN_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

enum { GIVEN_FILES = 16 };

static int given_fd[GIVEN_FILES];
static size_t givens;

/* A path that opens these bytes. */
static inline const char *given(struct arena *a, struct str bytes)
{
	int fd = memfd_create("given", MFD_CLOEXEC);

	if (givens == GIVEN_FILES || fd < 0 ||
	    write(fd, bytes.p, bytes.n) != (ssize_t)bytes.n)
		abort();
	given_fd[givens++] = fd;
	return arena_fmt(a, "/proc/self/fd/%d", fd).p;
}

static inline const char *given_text(struct arena *a, const char *text)
{
	return given(a, str_of(text));
}

static inline void given_none(void)
{
	while (givens)
		close(given_fd[--givens]);
}

/* The bytes of a file, or of a fixture when path is relative. */
static inline struct str file_bytes(struct arena *a, const char *path)
{
	const char *top = getenv("TOP");
	struct str full = arena_fmt(a, "%s%s%s",
	                            *path == '/' ? ""
	                            : top        ? top
	                                         : ".",
	                            *path == '/' ? "" : "/", path);
	int fd = open(full.p, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *p;

	if (fd < 0 || fstat(fd, &st) < 0) {
		perror(full.p);
		abort();
	}
	p = arena_new(a, char, (size_t)st.st_size + 1);
	if (read(fd, p, (size_t)st.st_size) != st.st_size)
		abort();
	close(fd);
	return (struct str){ p, (size_t)st.st_size };
}

/* From now on what is written to standard error is kept, until heard() returns it. */
static int heard_fd, stderr_fd;

static inline void hear(void)
{
	fflush(stderr);
	stderr_fd = dup(STDERR_FILENO);
	heard_fd = memfd_create("heard", MFD_CLOEXEC);
	dup2(heard_fd, STDERR_FILENO);
}

static inline const char *heard(struct arena *a)
{
	char *text = arena_new(a, char, 1 << 16);

	fflush(stderr);
	dup2(stderr_fd, STDERR_FILENO);
	close(stderr_fd);
	if (pread(heard_fd, text, (1 << 16) - 1, 0) < 0)
		abort();
	close(heard_fd);
	return text;
}

/* The same numbers in every run. */
static inline uint64_t given_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

#endif
