/*
 * gzip - writes packed, by ISA-L.
 *
 * The same bytes give the same file: no time and no name stand in it.
 */
#ifndef WRITER_GZIP_H
#define WRITER_GZIP_H

#include "base/arena.h"
#include "base/out.h"

struct gzip;

/* Writes packed bytes to o; the state lives in arena. */
struct gzip *gzip_begin(struct out *o, struct arena *arena);

void gzip_write(struct gzip *z, const void *p, size_t n);

/* Writes the rest; o stays open. */
void gzip_end(struct gzip *z);

#endif
