/*
 * places - writes tables of the module, file and line of each name, for the script of a picture.
 */
#ifndef WRITER_FLAME_PLACES_H
#define WRITER_FLAME_PLACES_H

#include "image/source/source_path.h"
#include "stack/origin.h"
#include "writer/flame/tables.h"

struct places {
	const struct origins *origins; /* or NULL */
	const struct interner *names;
	/* URL of a source line, which contains {file} and {line}, or empty */
	struct str url;
	struct source_paths paths; /* if there are any, other files have no links */
};

/*
 * Writes two elements: "places", modules and files, a line each, after a letter (m: a module, f: a
 * file, l: a file with a link), and "origins", for each origin: names since the last one, the line
 * of its module, the line of its file, and the line in it.  Lines are counted from 1, and 0 means
 * unknown.
 */
void places_write(const struct places *p, struct tables *t);

#endif
