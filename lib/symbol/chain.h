/*
 * chain - the callers of a text's sample, cached as a whole.
 *
 * Profiles repeat the same call chains.  The bytes of all lines after a sample's first frame are
 * hashed once.  If hashes are equal, the bytes are compared with the bytes of the chain.
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
	struct table index;  /* (hash, length) -> number of the last chain with them */
	struct chain *chain; /* index 0 is unused */
	size_t n, cap;
	char *copies;  /* memory for bytes that do not stay in place, or NULL */
	size_t copied; /* bytes of `copies` that are used */
	/* arguments and hash of the last chain_find */
	struct str bytes;
	uint64_t context, hash;
	bool stays;
};

void chain_init(struct chains *c, struct arena *arena);

/*
 * Returns the number of the chain with these bytes in that context, or 0.  stays: the bytes are
 * valid as long as c, not only until the next event.
 */
uint32_t chain_find(struct chains *c, struct str bytes, uint64_t context, bool stays);

/* Adds the chain of the last chain_find, and returns its number. */
uint32_t chain_mark(struct chains *c);

#endif
