/*
 * place - a file that appears under its name only when it is complete.
 *
 * Before place_end, the file has no name (O_TMPFILE).  If the file system does not support this,
 * the file has a temporary name in the same directory.
 */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

struct place {
	int fd;           /* -1 if the file is not open */
	const char *path; /* final path.  Not copied */
	char *temp;       /* temporary name, allocated with malloc, or NULL */
};

/*
 * Creates a file.  place_end gives it the name `path`.  Returns -1 with errno set after an error.
 */
int place_begin(struct place *p, const char *path);

/*
 * Names the file and closes it.  Replaces an existing file.  After an error, removes the file and
 * returns -1 with errno set.
 */
int place_end(struct place *p);

/* Removes the file.  Has no effect if the file is not open. */
void place_drop(struct place *p);

#endif
