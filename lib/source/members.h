/*
 * members - the list of a source's members while it is made; private to source/.
 */
#ifndef SOURCE_MEMBERS_H
#define SOURCE_MEMBERS_H

#include "source/source_private.h"

/* Adds *m at the end of the list, which has room for *cap. */
void members_add(struct source *s, size_t *cap, const struct member *m);

/* Sorts them by name and counts how deep each lies. */
void members_sort(struct source *s);

#endif
