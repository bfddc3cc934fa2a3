/*
 * known_runtime - the runtimes that generate code: the file names by which they are recognised, and
 * the option with which each writes a map of its code.
 */
#ifndef PROCESS_KNOWN_RUNTIME_H
#define PROCESS_KNOWN_RUNTIME_H

#include "base/str.h"

struct known_runtime {
	struct str file;  /* start of the name of the runtime's program or library */
	const char *name; /* "Node.js" */
	/* the option or variable that makes the runtime write the map */
	const char *how;
	bool asked; /* offbox-collect can request names from the running process */
};

/* Returns the runtime to which a file belongs, or NULL. */
const struct known_runtime *known_runtime_find(struct str path);

/* Returns true for the memory that .NET maps twice to write its JIT code. */
bool known_runtime_is_doublemapper(struct str path);

/* Returns a row of the table.  Rows with smaller numbers have priority.  Row 0 is .NET. */
const struct known_runtime *known_runtime_get(size_t row);

#endif
