/* directory - lists a directory's files, and opens them.  Private to source/. */
#ifndef SOURCE_DIRECTORY_H
#define SOURCE_DIRECTORY_H

#include "source/source_private.h"

/* Lists the members of the directory open in s->state->fd.  Returns -1 with errno set. */
int directory_list(struct source *s, const char *path);

/* Opens a directory's member for reading.  The caller closes it.  Returns -1 with errno set. */
int directory_open(struct source *s, struct member *m);

#endif
