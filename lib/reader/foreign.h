/* foreign - recognises files that are not supported profiles, and gives advice for messages. */
#ifndef READER_FOREIGN_H
#define READER_FOREIGN_H

#include "base/str.h"

struct foreign {
	const char *what;   /* "a PNG picture" */
	const char *advice; /* "convert it to folded stacks with heaptrack_print -F" */
	bool profile;       /* a profile, but in an unsupported format */
};

/* Returns the kind of the file that begins with `head`, or NULL if it is unknown. */
const struct foreign *foreign_find(struct str head);

#endif
