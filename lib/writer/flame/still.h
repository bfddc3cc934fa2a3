/*
 * still - writes the picture that is shown without scripts: the widest boxes, grouped by colour,
 * with labels and tooltips.  A line states the number of omitted boxes.
 */
#ifndef WRITER_FLAME_STILL_H
#define WRITER_FLAME_STILL_H

#include "writer/flame/picture.h"

/*
 * Returns true if there is no stack to draw.  The picture then consists of its title and a
 * sentence.
 */
bool still_is_empty(const struct picture *p);

/* Returns the height in pixels. */
double still_height(const struct picture *p);

/* Writes everything except the background.  Call tables_begin and set tables.shown first. */
void still_write(struct picture *p);

#endif
