/*
 * unpack - decompresses the records inside COMPRESSED records.  Private to reader/.
 *
 * All COMPRESSED records together form one zstd stream.  Each COMPRESSED record is decompressed
 * into a chunk.  A chunk may end inside a record.
 */
#ifndef READER_PERFDATA_UNPACK_H
#define READER_PERFDATA_UNPACK_H

#include "reader/perfdata/chunk.h"
#include "reader/perfdata/record.h"
#include "source/decompress.h"

/* All fields except for `chunks` are initially zero. */
struct unpack {
	struct chunks *chunks;
	struct zstd *stream; /* decompressor, or NULL until the first use */
	uint32_t current;    /* the chunk that is being read, or 0 */
	size_t pos;          /* offset of the next record in the current chunk */
	uint64_t in, out;    /* total bytes of input and output */
	bool broken;         /* damaged: unreadable until a new zstd frame begins */
};

/*
 * Decompresses r, a COMPRESSED or COMPRESSED2 record at offset `at` of input number `input`.
 * unpack_left then returns the result.  Returns NULL, or a description of the damage.
 */
const char *unpack_add(struct unpack *u, const struct record *r, uint64_t at,
                       size_t input, bool swap);

/* Returns the unread bytes of the current chunk. */
static inline struct str unpack_left(const struct unpack *u)
{
	const struct chunk *k = &u->chunks->k[u->current];

	return u->current ? (struct str){ k->p + u->pos, k->n - u->pos }
	                  : (struct str){ 0 };
}

/* Drops the unread bytes of the current chunk. */
void unpack_drop(struct unpack *u);

/* Prepares for a new stream that starts in the next record.  Keeps chunks with waiting records. */
void unpack_restart(struct unpack *u);

void unpack_close(struct unpack *u);

#endif
