/*
 * place - a file that appears under its name only when it is complete.
 *
 * Until place_end, the file has no name (O_TMPFILE).  If the file system does not support
 * this, it has a temporary name in the same directory.
 */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

struct place {
	int fd;           /* descriptor, or -1 if the file is not open */
	const char *path; /* borrowed */
	char *temp;       /* temporary name, allocated with malloc, or NULL */
};

/*
 * Creates the file that will get the name `path`.  Returns -1 with errno set if that
 * fails.
 */
int place_begin(struct place *p, const char *path);

/*
 * Gives the file its name, closes it, and replaces any other file of that name.  If that
 * fails, removes the file and returns -1 with errno set.
 */
int place_end(struct place *p);

/* Removes the file.  Does nothing if the file is not open. */
void place_drop(struct place *p);

#endif
