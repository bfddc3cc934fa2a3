/*
 * foreign - what a file is that is not a profile we read, for a message with advice.
 */
#ifndef READER_FOREIGN_H
#define READER_FOREIGN_H

#include "base/str.h"

struct foreign {
	const char *what;   /* "a PNG picture" */
	const char *advice; /* what to do instead, as the end of a sentence */
	bool profile;       /* it holds samples, in a format that is not read */
};

/* The kind of a file, by its first bytes; NULL: not known. */
const struct foreign *foreign_find(struct str head);

#endif
