/*
 * facts - writes data about the whole picture for its script: title, units, options, inputs,
 * palettes.  The element <metadata class="facts"> contains them as JSON.
 */
#ifndef WRITER_FLAME_FACTS_H
#define WRITER_FLAME_FACTS_H

#include "writer/flame/picture.h"

/* Writes the element.  Before that, call tables_begin and set tables.shown. */
void facts_write(struct picture *p);

#endif
