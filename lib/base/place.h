/*
 * place - a file that appears under its name only when it is complete.
 *
 * Until place_end the file has no name (O_TMPFILE) or, if the file system lacks that, a temporary
 * name beside its own.
 */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

struct place {
	int fd;           /* -1: it is not open */
	const char *path; /* borrowed */
	char *temp;       /* temporary name, from malloc, or NULL */
};

/* Makes the file for path.  Returns -1 with errno set if that fails. */
int place_begin(struct place *p, const char *path);

/* Gives the file its name, in place of another one, and closes it.  -1: errno, no file is left. */
int place_end(struct place *p);

/* Removes it.  Accepts one that is not open. */
void place_drop(struct place *p);

#endif
