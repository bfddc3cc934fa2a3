/*
 * chunk - memory for records that are not in mapped bytes: decompressed ones, and
 * those of a pipe; private to reader/.
 *
 * Records wait in a chunk for their turn.  It stays where it is until the last of
 * them is delivered, and is then used for others: what is held is what waits.
 */
#ifndef READER_PERFDATA_CHUNK_H
#define READER_PERFDATA_CHUNK_H

#include "base/arena.h"

struct chunk {
	char *p;
	size_t n, cap;
	uint64_t at;    /* where in the input its records are */
	uint32_t input; /* which: reader/perfdata/input.h */
	bool marked;    /* or: each has its own place in the 8 bytes before it */
	uint32_t users; /* records that wait in it, and one for being filled or read */
	uint32_t next;  /* unused chunks: the next such; 0: none */
};

struct chunks {
	struct arena *arena;
	struct chunk *k; /* [0] is not used: that is mapped bytes */
	size_t n, cap;
	uint32_t unused; /* first chunk without users; 0: none */
};

void chunk_init(struct chunks *cs, struct arena *arena);

/* An empty chunk with room for n bytes, one user: the caller. */
uint32_t chunk_take(struct chunks *cs, size_t n);

/* Room for n more bytes; only while no record waits in it, for it may move. */
void chunk_room(struct chunks *cs, uint32_t chunk, size_t n);

/* One user more, or less; 0 is no chunk.  What is released is gone with the next take. */
void chunk_hold(struct chunks *cs, uint32_t chunk);
void chunk_release(struct chunks *cs, uint32_t chunk);

/* Nothing waits any more. */
void chunk_clear(struct chunks *cs);

/* Where in the input the record at p of a chunk is. */
uint64_t chunk_at(const struct chunks *cs, uint32_t chunk, const char *p);

#endif
