/*
 * facts - data about the whole picture for its script: an element <metadata class="facts"> that
 * contains JSON.  Title, units, options, inputs, palettes.
 */
#ifndef WRITER_FLAME_FACTS_H
#define WRITER_FLAME_FACTS_H

#include "writer/flame/picture.h"

/* tables_begin has been called, and shown is filled in. */
void facts_write(struct picture *p);

#endif
