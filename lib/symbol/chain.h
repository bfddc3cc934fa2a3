/*
 * chain - the callers of a sample of text, remembered as a whole.
 *
 * Text says the same call chains again and again.  The bytes of all lines behind a
 * sample's first are hashed once, with a key that no input can know, and what they
 * resolved to is found by hash and length: two chains are taken for one by a chance of
 * one in 2^64, and no text can be written to raise it.
 */
#ifndef SYMBOL_CHAIN_H
#define SYMBOL_CHAIN_H

#include "base/table.h"
#include "symbol/profile.h"

struct chain {
	frame_id *ids;
	size_t n;
	uint64_t uses; /* samples that are counted by it, and not frame by frame */
};

struct chains {
	struct arena *arena;
	uint64_t key[4];
	struct table index;  /* (hash, length) -> number */
	struct chain *chain; /* by number, from 1 */
	size_t n, cap;
	uint64_t hash, length; /* of what chain_find did not find */
};

void chains_init(struct chains *c, struct arena *arena);

/* The number of these lines' chain; 0: not remembered. */
uint32_t chain_find(struct chains *c, struct str lines);

/* Remembers what chain_find did not find; returns its number. */
uint32_t chain_add(struct chains *c, const frame_id *ids, size_t n);

#endif
