/* members - the list of a source's members while it is made.  Private to source/. */
#ifndef SOURCE_MEMBERS_H
#define SOURCE_MEMBERS_H

#include "source/source_private.h"

/* Adds *m at the end of the list, which has room for *cap. */
void members_add(struct source *s, size_t *cap, const struct member *m);

/* Sorts them by name and counts the depth of each. */
void members_sort(struct source *s);

#endif
