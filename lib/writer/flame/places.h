/*
 * places - writes the modules, files and lines of names as tables for the script of a
 * picture.
 */
#ifndef WRITER_FLAME_PLACES_H
#define WRITER_FLAME_PLACES_H

#include "stack/origin.h"
#include "writer/flame/tables.h"

/* Replaces the beginning `from` of the path of a file by `to`. */
struct places_path {
	struct str from, to;
};

struct places {
	const struct origins *origins; /* or NULL */
	const struct interner *names;
	/* URL of a source line, which contains {file} and {line}, or empty */
	struct str url;
	/*
	 * the first path that fits is used.  If npaths is not 0, other files have no
	 * links
	 */
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
