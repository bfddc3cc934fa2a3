/*
 * unpacked - files for a library that reads paths: a directory in TMPDIR that only this user
 * may enter, with names that no input chooses.
 */
#ifndef SOURCE_UNPACKED_H
#define SOURCE_UNPACKED_H

#include "base/arena.h"

struct unpacked {
	struct str path; /* NUL terminated */
	int fd;          /* of the directory, or -1 */
};

/* Returns -1 with errno set if it cannot be created. */
int unpacked_open(struct unpacked *u, struct arena *a);

/* Writes a file, and replaces one with the same name.  Returns -1 with errno set. */
int unpacked_put(struct unpacked *u, const char *name, struct str bytes);

/* Removes the files so called, n of them, and the directory. */
void unpacked_close(struct unpacked *u, const char *const *names, size_t n);

#endif
