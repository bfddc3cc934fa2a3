/*
 * unpacked - files for a library that reads paths: a directory in TMPDIR that only this user
 * may enter, with names that no input chooses.
 */
#ifndef SOURCE_UNPACKED_H
#define SOURCE_UNPACKED_H

#include "base/arena.h"
#include "base/keeper.h"

struct unpacked {
	struct str path; /* NUL terminated */
	int fd; /* of the directory, or -1 if there is none or the keeper has it */
	const struct keeper *keeper; /* NULL: this process makes the files */
	uint64_t id;                 /* for the keeper */
};

/* keeper may be NULL.  Returns -1 with errno set if it cannot be created. */
int unpacked_open(struct unpacked *u, const struct keeper *keeper, struct arena *a);

/* Creates a file, replaces one with the same name, and returns its descriptor or -1 with errno. */
int unpacked_file(struct unpacked *u, const char *name);

/* Writes a file, and replaces one with the same name.  Returns -1 with errno set. */
int unpacked_put(struct unpacked *u, const char *name, struct str bytes);

/* Removes the files so called, n of them, and the directory. */
void unpacked_close(struct unpacked *u, const char *const *names, size_t n);

#endif
