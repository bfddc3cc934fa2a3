/* foreign - the kind of a file that is not a supported profile, for a message with advice. */
#ifndef READER_FOREIGN_H
#define READER_FOREIGN_H

#include "base/str.h"

struct foreign {
	const char *what;   /* "a PNG picture" */
	const char *advice; /* the advice, as the end of a sentence */
	bool profile;       /* it holds samples, in a format that is not read */
};

/* Returns the kind of a file, by its first bytes, or NULL. */
const struct foreign *foreign_find(struct str head);

#endif
