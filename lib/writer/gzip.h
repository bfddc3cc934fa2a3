/*
 * gzip - writes compressed output, with the library ISA-L.  The header has neither a time nor a
 * file name, so the same input always gives the same bytes.
 */
#ifndef WRITER_GZIP_H
#define WRITER_GZIP_H

#include "base/arena.h"
#include "base/out.h"

struct gzip;

/* Starts a stream, which is written to o.  The state lives in arena. */
struct gzip *gzip_begin(struct out *o, struct arena *arena);

void gzip_write(struct gzip *z, const void *p, size_t n);

/* Writes the rest of the stream.  Does not close o. */
void gzip_end(struct gzip *z);

#endif
