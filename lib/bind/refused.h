/*
 * refused - images that are called like what was mapped, and were not taken; private
 * to symbol/.
 */
#ifndef BIND_REFUSED_H
#define BIND_REFUSED_H

#include "base/diag.h"
#include "base/table.h"
#include "image/locate.h"

struct refused_image {
	const struct item *item; /* NULL: none was refused */
	const char *why;
	bool is_it; /* and yet it is what was mapped; it cannot be used */
};

/* Those of a run; the first is said, the others are counted.  All zero: none yet. */
struct refusals {
	struct refused_image first;
	size_t n;
	struct table seen;
	struct arena scratch;
};

/* Counts an image once. */
void refusals_add(struct refusals *r, const struct refused_image *refused);

/* Says what was added, and forgets it. */
void refusals_report(struct refusals *r, struct diag *diag);

#endif
