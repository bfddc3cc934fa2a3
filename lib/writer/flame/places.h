/* places - writes the module, file and line of each name, for the script of a picture. */
#ifndef WRITER_FLAME_PLACES_H
#define WRITER_FLAME_PLACES_H

#include "image/source/source_path.h"
#include "stack/origin.h"
#include "writer/flame/tables.h"

struct places {
	const struct origins *origins; /* may be NULL */
	const struct interner *names;
	/* URL of a source line, with {file} and {line}, or empty */
	struct str url;
	struct source_paths
	        paths; /* if not empty, only files below these paths have links */
};

/*
 * Writes two elements.  "places" has a line for each module and file.  A line begins with m for a
 * module, f for a file, l for a file with a link.  "origins" has four numbers for each origin:
 * the distance from the previous origin's name, the line of "places" with its module, the line
 * with its file, and the line in that file.  Lines count from 1, and 0 means unknown.
 */
void places_write(const struct places *p, struct tables *t);

#endif
