/*
 * known_runtime - runtimes that generate code, as recognised by their files, and how each
 * can write a map of its code.
 */
#ifndef PROCESS_KNOWN_RUNTIME_H
#define PROCESS_KNOWN_RUNTIME_H

#include "base/str.h"

struct known_runtime {
	struct str file;  /* first part of the name of its program or library */
	const char *name; /* "Node.js" */
	const char *how;  /* the option or variable by which it writes the map */
	bool asked; /* offbox-collect can request the names from a running process */
};

/* Returns the runtime to which a file belongs, or NULL. */
const struct known_runtime *known_runtime_find(struct str path);

/*
 * Returns a row of the table.  If a process has files of several runtimes, the first row
 * wins.  Row 0 is .NET.
 */
const struct known_runtime *known_runtime_get(size_t row);

#endif
