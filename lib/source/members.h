/* members - builds the list of a source's members.  Private to source/. */
#ifndef SOURCE_MEMBERS_H
#define SOURCE_MEMBERS_H

#include "source/source_private.h"

/* Appends *m to the list.  *cap is the capacity of the list. */
void members_add(struct source *s, size_t *cap, const struct member *m);

/* Sorts the members by name, and sets their depth. */
void members_sort(struct source *s);

#endif
