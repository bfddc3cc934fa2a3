/*
 * unpacked - writes files for libraries that can only open paths.  The files are in a directory
 * in TMPDIR that only this user may enter.  Inputs cannot choose the names of the files.
 */
#ifndef SOURCE_UNPACKED_H
#define SOURCE_UNPACKED_H

#include "base/arena.h"
#include "base/keeper.h"

struct unpacked {
	struct str path; /* with a final NUL */
	/* the directory, or -1 if it does not exist or if the keeper made it */
	int fd;
	/* creates the files.  NULL: this process creates them */
	const struct keeper *keeper;
	uint64_t id; /* id of the directory in messages to the keeper */
};

/* Creates the directory.  keeper may be NULL.  Returns -1 with errno set after an error. */
int unpacked_open(struct unpacked *u, const struct keeper *keeper, struct arena *a);

/* Creates or replaces a file.  Returns its descriptor, or -1 with errno set. */
int unpacked_file(struct unpacked *u, const char *name);

/* Writes a file, or replaces an existing one.  Returns -1 with errno set after an error. */
int unpacked_put(struct unpacked *u, const char *name, struct str bytes);

/* Removes n files with the given names, and the directory. */
void unpacked_close(struct unpacked *u, const char *const *names, size_t n);

#endif
