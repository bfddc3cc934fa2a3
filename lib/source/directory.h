/*
 * directory - lists a directory's files, and opens them; private to source/.
 */
#ifndef SOURCE_DIRECTORY_H
#define SOURCE_DIRECTORY_H

#include "source/source_private.h"

/* The members of the directory open in s->state->fd.  -1: errno says why. */
int directory_list(struct source *s, const char *path);

/* A directory's member, opened for reading; the caller closes it.  -1: errno. */
int directory_open(struct source *s, struct member *m);

#endif
