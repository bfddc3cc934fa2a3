/*
 * unpack - the records inside COMPRESSED records; private to reader/.
 *
 * All of them together are one zstd stream, whose bytes are records again, cut
 * anywhere.  Each compressed record becomes a chunk.
 */
#ifndef READER_PERFDATA_UNPACK_H
#define READER_PERFDATA_UNPACK_H

#include "reader/perfdata/chunk.h"
#include "reader/perfdata/record.h"
#include "source/decompress.h"

struct unpack {
	struct chunks *chunks;
	struct zstd *stream; /* NULL until needed */
	uint32_t current;       /* chunk being read; 0: none */
	size_t pos;             /* how far */
	uint64_t in, out;       /* bytes so far */
	bool broken;            /* damage met; what follows cannot be read */
};

void unpack_init(struct unpack *u, struct chunks *chunks);

/*
 * The records of r, a COMPRESSED or COMPRESSED2 record at byte at of that input, are what
 * unpack_left returns next.  NULL, or what is wrong.
 */
const char *unpack_add(struct unpack *u, const struct record *r, uint64_t at,
                       size_t input, bool swap);

/* What is still to be read of the current chunk. */
static inline struct str unpack_left(const struct unpack *u)
{
	const struct chunk *k = &u->chunks->k[u->current];

	return u->current ? (struct str){ k->p + u->pos, k->n - u->pos }
	                  : (struct str){ 0 };
}

/* Drops what is left of the current chunk. */
void unpack_drop(struct unpack *u);

/* What comes next begins a stream; chunks in which records wait stay. */
void unpack_restart(struct unpack *u);

void unpack_close(struct unpack *u);

#endif
