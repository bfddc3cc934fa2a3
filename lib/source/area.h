/*
 * area - memory that is taken at once, fills from the front, and costs only what is
 * written to; private to source/.
 */
#ifndef SOURCE_AREA_H
#define SOURCE_AREA_H

#include "base/str.h"

struct area {
	char *p; /* on a page, all zero; NULL: there is none */
	size_t n;
};

/* False: no memory. */
bool area_open(struct area *a, size_t n);

void area_close(struct area *a);

static inline bool area_has(const struct area *a, const char *p)
{
	return a->p && p >= a->p && p < a->p + a->n;
}

/* These bytes are not needed any more: as many as are whole pages read as zeros. */
void area_give_back(struct area *a, struct str bytes);

#endif
