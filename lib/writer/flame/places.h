/*
 * places - the modules, files and lines of the names in a picture, as a table for its script.
 */
#ifndef WRITER_FLAME_PLACES_H
#define WRITER_FLAME_PLACES_H

#include "stack/origin.h"
#include "writer/flame/tables.h"

/* Paths of files that begin with from begin with to instead. */
struct places_path {
	struct str from, to;
};

struct places {
	const struct origins *origins; /* or NULL */
	const struct interner *names;
	/* of a line of source, with {file} and {line}, or empty */
	struct str url;
	/* the first that fits is used.  If there are any, only their files have links */
	const struct places_path *paths;
	size_t npaths;
};

/*
 * Writes two elements: "places", modules and files, a line each, after a letter (m: a module, f: a
 * file, l: a file with a link), and "origins", for each origin: names since the last one, the line
 * of its module, the line of its file, and the line in it.  Lines are counted from 1, and 0 means
 * unknown.
 */
void places_write(const struct places *p, struct tables *t);

#endif
