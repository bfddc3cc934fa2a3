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
	bool copied; /* bytes are in chains.copies */
};

struct chains {
	struct arena *arena;
	uint64_t seed;
	struct table index;  /* (hash, length) -> number of the last such chain */
	struct chain *chain; /* by number, from 1 */
	size_t n, cap;
	char *copies;  /* of bytes that do not stay in place, or NULL */
	size_t copied; /* bytes of them */
	/* the last lookup */
	struct str bytes;
	uint64_t context, hash;
	bool stays;
};

void chain_init(struct chains *c, struct arena *arena);

/*
 * Returns the number of the chain of these bytes in that context, or 0. stays: the bytes are
 * valid as long as c, not only until the next event.
 */
uint32_t chain_find(struct chains *c, struct str bytes, uint64_t context, bool stays);

/* Adds the last lookup of chain_find, and returns its number. */
uint32_t chain_mark(struct chains *c);

#endif
