/* directory - lists and opens the files of a directory.  Private to source/. */
#ifndef SOURCE_DIRECTORY_H
#define SOURCE_DIRECTORY_H

#include "source/source_private.h"

/*
 * Lists the members of the directory that is open as s->state->fd.  Returns -1 with errno set
 * after an error.
 */
int directory_list(struct source *s, const char *path);

/*
 * Opens a member of a directory for reading.  The caller must close the descriptor.  Returns -1
 * with errno set after an error.
 */
int directory_open(struct source *s, struct member *m);

#endif
