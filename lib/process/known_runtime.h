/* known_runtime - runtimes that make code, known by their files, and how they write a map of it. */
#ifndef PROCESS_KNOWN_RUNTIME_H
#define PROCESS_KNOWN_RUNTIME_H

#include "base/str.h"

struct known_runtime {
	struct str file;  /* how the name of its program or library begins */
	const char *name; /* "Node.js" */
	const char *how;  /* the option or variable that writes the map */
	bool asked; /* offbox-collect can request the names from a running process */
};

/* Returns the runtime that a file belongs to, or NULL. */
const struct known_runtime *known_runtime_of(struct str path);

/*
 * Returns a row of the table.  Of the files of one process the first row counts.  Row 0 is .NET.
 */
const struct known_runtime *known_runtime_at(size_t row);

#endif
