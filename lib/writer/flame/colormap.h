/*
 * colormap - keeps the colours of names in a file, so that later pictures use the same colours.
 * flamegraph.pl --cp uses the same format:
 *
 * 	main->rgb(228,129,35)
 */
#ifndef WRITER_FLAME_COLORMAP_H
#define WRITER_FLAME_COLORMAP_H

#include "base/intern.h"
#include "base/out.h"
#include "writer/flame/palette.h"

struct colormap {
	struct interner names;
	struct rgb *color; /* indexed by str_id */
	bool *given;
	size_t cap;
	struct arena arena;
};

void colormap_init(struct colormap *m);
void colormap_free(struct colormap *m);

/* Reads the lines of a file.  Returns the number of malformed lines. */
size_t colormap_read(struct colormap *m, struct str bytes);

void colormap_set(struct colormap *m, struct str name, struct rgb color);

/* Returns false if the name has no colour. */
bool colormap_find(struct colormap *m, struct str name, struct rgb *out);

/* Writes all names in sorted order.  out->error is set after an error. */
void colormap_write(struct colormap *m, struct out *out);

#endif
