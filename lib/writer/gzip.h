/*
 * gzip - compressed output, by ISA-L.
 *
 * The same bytes give the same file, because it contains neither a time nor a name.
 */
#ifndef WRITER_GZIP_H
#define WRITER_GZIP_H

#include "base/arena.h"
#include "base/out.h"

struct gzip;

/* Writes compressed bytes to o.  The state lives in arena. */
struct gzip *gzip_begin(struct out *o, struct arena *arena);

void gzip_write(struct gzip *z, const void *p, size_t n);

/* Writes the rest.  o stays open. */
void gzip_end(struct gzip *z);

#endif
