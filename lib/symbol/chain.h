/*
 * chain - the callers of a text's sample, remembered as a whole.
 *
 * Profiles repeat the same call chains.  The bytes of all lines behind a sample's first frame
 * are hashed once.  An equal hash is no proof: the bytes are compared with those of the chain.
 */
#ifndef SYMBOL_CHAIN_H
#define SYMBOL_CHAIN_H

#include "base/table.h"

struct chain {
	struct str bytes; /* what it was added for; empty once its copy is dropped */
	uint64_t context;
	bool copied; /* bytes lie in chains.copies */
};

struct chains {
	struct arena *arena;
	uint64_t seed;
	struct table index;  /* (hash, length) -> number of the last such chain */
	struct chain *chain; /* by number, from 1 */
	size_t n, cap;
	char *copies;  /* of bytes that do not stay where they are; NULL: none yet */
	size_t copied; /* bytes of them */
	/* what was looked for last */
	struct str bytes;
	uint64_t context, hash;
	bool stays;
};

void chain_init(struct chains *c, struct arena *arena);

/*
 * The number of the chain that these bytes are in that context; 0: not remembered.
 * stays: the bytes are valid as long as c, and not only until the next event.
 */
uint32_t chain_find(struct chains *c, struct str bytes, uint64_t context, bool stays);

/* Adds what chain_find did not find; returns its number. */
uint32_t chain_mark(struct chains *c);

#endif
