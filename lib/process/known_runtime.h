/*
 * known_runtime - recognises runtimes that generate code by their files, and knows how each can
 * write a map of its code.
 */
#ifndef PROCESS_KNOWN_RUNTIME_H
#define PROCESS_KNOWN_RUNTIME_H

#include "base/str.h"

struct known_runtime {
	struct str file;  /* start of the name of its program or library */
	const char *name; /* "Node.js" */
	const char *how;  /* the option or variable that makes it write the map */
	bool asked;       /* offbox-collect can request names from the running process */
};

/* Returns the runtime to which a file belongs, or NULL. */
const struct known_runtime *known_runtime_find(struct str path);

/* Returns a row of the table.  Rows with smaller numbers have priority.  Row 0 is .NET. */
const struct known_runtime *known_runtime_get(size_t row);

#endif
