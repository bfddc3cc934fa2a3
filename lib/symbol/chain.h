/*
 * chain - keeps copies of the call chains of a text with the frames that were made from them, up to
 * a memory limit.  All callers of a sample form one chain.
 *
 * Profiles repeat the same call chains.  All lines after the first frame of a sample are hashed
 * together.  If two hashes are equal, the bytes are compared.
 */
#ifndef SYMBOL_CHAIN_H
#define SYMBOL_CHAIN_H

#include "base/table.h"

struct chain {
	struct str bytes; /* the text of the chain, or empty if its copy was dropped */
	uint64_t context;
	bool copied; /* `bytes` points into chains.copies */
};

struct chains {
	struct arena *arena;
	uint64_t seed;
	/* (hash, length) -> number of the newest chain with this hash and length */
	struct table index;
	struct chain *chain; /* index 0 is unused */
	size_t n, cap;
	char *copies;  /* copies of bytes that the input does not keep, or NULL */
	size_t copied; /* bytes of `copies` that are used */
	/* arguments and hash of the last chain_find */
	struct str bytes;
	uint64_t context, hash;
	bool stays;
};

void chain_init(struct chains *c, struct arena *arena);

/*
 * Returns the number of the chain that has these bytes and this context, or 0.  If `stays` is
 * set, the bytes are valid as long as c.  Otherwise they are valid until the next event.
 */
uint32_t chain_find(struct chains *c, struct str bytes, uint64_t context, bool stays);

/* Adds the chain that the last chain_find did not find, and returns its number. */
uint32_t chain_mark(struct chains *c);

#endif
