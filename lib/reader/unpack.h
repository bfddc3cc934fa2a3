/*
 * unpack - the records inside COMPRESSED records; private to reader/.
 *
 * All of them together are one zstd stream, whose bytes are records again, cut
 * anywhere.  Each compressed record becomes a chunk, which stays where it is
 * until its records are delivered, and is then used for another.
 */
#ifndef READER_UNPACK_H
#define READER_UNPACK_H

#include "base/arena.h"
#include "reader/record.h"
#include "source/inflate.h"

struct chunk {
	char *p;
	size_t n, cap;
	uint64_t at;    /* where in the input the compressed record is */
	uint32_t users; /* records that wait in it, and one for being read */
	uint32_t next;  /* unused chunks: the next such; 0: none */
};

struct unpack {
	struct arena *arena;
	struct inflate *stream; /* NULL until needed */
	struct chunk *chunks;   /* [0] is not used: that is the input */
	size_t n, cap;
	uint32_t unused;  /* first chunk without users; 0: none */
	uint32_t current; /* being read; 0: none */
	size_t pos;       /* how far */
	uint64_t in, out; /* bytes so far */
	bool broken;      /* damage met; what follows cannot be read */
};

void unpack_init(struct unpack *u, struct arena *arena);

/*
 * The records of r, a COMPRESSED or COMPRESSED2 record at byte at, are what
 * unpack_left returns next.  NULL, or what is wrong.
 */
const char *unpack_add(struct unpack *u, const struct record *r, uint64_t at, bool swap);

/* What is still to be read of the current chunk. */
static inline struct str unpack_left(const struct unpack *u)
{
	const struct chunk *k = &u->chunks[u->current];

	return u->current ? (struct str){ k->p + u->pos, k->n - u->pos }
	                  : (struct str){ 0 };
}

/* A record of the chunk waits; it was delivered (its bytes last until unpack_add). */
void unpack_hold(struct unpack *u, uint32_t chunk);
void unpack_release(struct unpack *u, uint32_t chunk);

/* Drops what is left of the current chunk. */
void unpack_drop(struct unpack *u);

/* Back to the beginning of the stream. */
void unpack_rewind(struct unpack *u);

void unpack_close(struct unpack *u);

#endif
