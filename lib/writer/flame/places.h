/* places - writes tables with module, file and line of each name, for the script of a picture. */
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
	/* if there are any, only files that they map have links */
	struct source_paths paths;
};

/*
 * Writes two elements.  "places" contains modules and files, one in a line, after a letter (m: a
 * module, f: a file, l: a file with a link).  "origins" contains for each origin: the number of
 * names since the last one, its module and its file as line numbers in "places", and its line in
 * the file.  Line numbers start at 1, and 0 means unknown.
 */
void places_write(const struct places *p, struct tables *t);

#endif
