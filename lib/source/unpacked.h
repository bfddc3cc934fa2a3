/*
 * unpacked - files for libraries that read paths.  They are in a directory in TMPDIR that
 * only this user may enter.  No input chooses their names.
 */
#ifndef SOURCE_UNPACKED_H
#define SOURCE_UNPACKED_H

#include "base/arena.h"
#include "base/keeper.h"

struct unpacked {
	struct str path; /* NUL terminated */
	/*
	 * descriptor of the directory, or -1 if there is no directory or if the keeper
	 * made it
	 */
	int fd;
	/* makes the files, or NULL if this process makes them */
	const struct keeper *keeper;
	uint64_t id; /* for the keeper */
};

/*
 * Creates the directory.  keeper may be NULL.  Returns -1 with errno set if that fails.
 */
int unpacked_open(struct unpacked *u, const struct keeper *keeper, struct arena *a);

/*
 * Creates a file, or replaces the file of that name.  Returns its descriptor, or -1 with
 * errno set.
 */
int unpacked_file(struct unpacked *u, const char *name);

/* Writes a file, or replaces the file of that name.  Returns -1 with errno set. */
int unpacked_put(struct unpacked *u, const char *name, struct str bytes);

/* Removes n files with these names, and the directory. */
void unpacked_close(struct unpacked *u, const char *const *names, size_t n);

#endif
