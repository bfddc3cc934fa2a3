/*
 * chunk - memory for decompressed records and for the records of a pipe, because they are not in
 * mapped bytes.  Private to reader/.
 *
 * Records wait in a chunk until they are delivered.  A chunk keeps its address until its last
 * record was delivered.  Its memory is then used again.
 */
#ifndef READER_PERFDATA_CHUNK_H
#define READER_PERFDATA_CHUNK_H

#include "base/arena.h"

struct chunk {
	char *p;
	size_t n, cap;
	uint64_t at;    /* offset of the chunk's records in the input */
	uint32_t input; /* index of the input, as in reader/perfdata/scan.h */
	/* Each record has its own offset, in the 8 bytes before the record. */
	bool marked;
	uint32_t users; /* waiting records, plus 1 while the chunk is filled or read */
	uint32_t next;  /* next unused chunk, or 0 */
};

struct chunks {
	struct arena *arena;
	struct chunk *k; /* k[0] is unused, because index 0 means mapped bytes */
	size_t n, cap;
	uint32_t unused; /* first chunk without users, or 0 */
};

void chunk_init(struct chunks *cs, struct arena *arena);

/* Returns an empty chunk with room for n bytes.  The caller is its first user. */
uint32_t chunk_take(struct chunks *cs, size_t n);

/* Makes room for n more bytes.  This may move the chunk, so no record may wait in it. */
void chunk_room(struct chunks *cs, uint32_t chunk, size_t n);

/* Adds or removes a user.  Chunk 0 is ignored.  Released bytes stay until the next chunk_take. */
void chunk_hold(struct chunks *cs, uint32_t chunk);
void chunk_release(struct chunks *cs, uint32_t chunk);

/* Makes all chunks unused. */
void chunk_clear(struct chunks *cs);

/* Returns the offset in the input of the record at p, which is in the chunk. */
uint64_t chunk_at(const struct chunks *cs, uint32_t chunk, const char *p);

#endif
