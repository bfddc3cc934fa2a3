/*
 * still - the picture without scripts: the widest boxes, grouped by color, with labels and
 * tooltips, and a line that states the number of omitted boxes.
 */
#ifndef WRITER_FLAME_STILL_H
#define WRITER_FLAME_STILL_H

#include "writer/flame/picture.h"

/*
 * Returns true if there is no stack to draw.  The picture then has only its title and a sentence.
 */
bool still_is_empty(const struct picture *p);

/* Pixels. */
double still_height(const struct picture *p);

/* All of it but the ground.  tables_begin has been called, and shown is filled in. */
void still_write(struct picture *p);

#endif
