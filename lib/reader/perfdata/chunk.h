/*
 * chunk - memory for records that are not in mapped bytes: decompressed records, and records of a
 * pipe.  Private to reader/.
 *
 * Records wait in a chunk until they are delivered.  A chunk does not move until its last record
 * was delivered.  Then its memory is reused.
 */
#ifndef READER_PERFDATA_CHUNK_H
#define READER_PERFDATA_CHUNK_H

#include "base/arena.h"

struct chunk {
	char *p;
	size_t n, cap;
	uint64_t at;    /* input offset of the chunk's records */
	uint32_t input; /* index of the input (reader/perfdata/scan.h) */
	/* The 8 bytes before each record contain its offset. */
	bool marked;
	/* number of waiting records, plus 1 while the chunk is filled or read */
	uint32_t users;
	uint32_t next; /* next unused chunk, or 0 */
};

struct chunks {
	struct arena *arena;
	struct chunk *k; /* k[0] is unused, because chunk 0 represents mapped bytes */
	size_t n, cap;
	uint32_t unused; /* first chunk without users, or 0 */
};

void chunk_init(struct chunks *cs, struct arena *arena);

/* Returns an empty chunk with room for n bytes.  The caller becomes its first user. */
uint32_t chunk_take(struct chunks *cs, size_t n);

/*
 * Makes room for n more bytes.  This may move the chunk, so it must not contain waiting records.
 */
void chunk_room(struct chunks *cs, uint32_t chunk, size_t n);

/*
 * Add or remove a user.  Chunk 0 is ignored.  The bytes of a released chunk are valid until the
 * next chunk_take.
 */
void chunk_hold(struct chunks *cs, uint32_t chunk);
void chunk_release(struct chunks *cs, uint32_t chunk);

/* Makes all chunks unused. */
void chunk_clear(struct chunks *cs);

/* Returns the input offset of the record at p in the chunk. */
uint64_t chunk_at(const struct chunks *cs, uint32_t chunk, const char *p);

#endif
