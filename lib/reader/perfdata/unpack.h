/*
 * unpack - the records inside COMPRESSED records.  Private to reader/.
 *
 * Together they are one zstd stream.  Its records may be split anywhere.  Each compressed record
 * is unpacked into a chunk.
 */
#ifndef READER_PERFDATA_UNPACK_H
#define READER_PERFDATA_UNPACK_H

#include "reader/perfdata/chunk.h"
#include "reader/perfdata/record.h"
#include "source/decompress.h"

struct unpack {
	struct chunks *chunks;
	struct zstd *stream; /* NULL until needed */
	uint32_t current;    /* chunk being read, or 0 */
	size_t pos;          /* how far */
	uint64_t in, out;    /* bytes so far */
	bool broken;         /* damage was found, and the rest cannot be read */
};

void unpack_init(struct unpack *u, struct chunks *chunks);

/*
 * Unpacks r, a COMPRESSED or COMPRESSED2 record at byte at of that input.  unpack_left then
 * returns its records.  Returns NULL, or a description of the damage.
 */
const char *unpack_add(struct unpack *u, const struct record *r, uint64_t at,
                       size_t input, bool swap);

/* The unread bytes of the current chunk. */
static inline struct str unpack_left(const struct unpack *u)
{
	const struct chunk *k = &u->chunks->k[u->current];

	return u->current ? (struct str){ k->p + u->pos, k->n - u->pos }
	                  : (struct str){ 0 };
}

/* Drops the unread bytes of the current chunk. */
void unpack_drop(struct unpack *u);

/* The next record begins a new stream.  Chunks with waiting records stay. */
void unpack_restart(struct unpack *u);

void unpack_close(struct unpack *u);

#endif
