/*
 * chain - the callers of a sample, remembered as a whole.
 *
 * Profiles repeat the same call chains.  All behind a sample's first frame (of a text
 * the bytes of the lines, else of the addresses, and what was mapped then) is hashed
 * once, and what it resolved to is found by the hash.  An equal hash is no proof: the
 * bytes are compared with those of the chain.
 */
#ifndef SYMBOL_CHAIN_H
#define SYMBOL_CHAIN_H

#include "base/table.h"
#include "process/process.h"
#include "symbol/profile.h"

struct chain {
	frame_id *ids;
	size_t n;
	uint64_t uses;    /* samples that are counted by it, and not frame by frame */
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
	uint64_t again;     /* times that one was found */
	struct frame *last; /* the callers that chain_shared was asked for last */
	size_t nlast, last_cap;
	uint64_t last_state; /* and its state; 0: none yet */
};

void chain_init(struct chains *c, struct arena *arena);

/*
 * The number of the chain that these bytes are in that context; 0: not remembered.
 * stays: the bytes are valid as long as c, and not only until the next event.
 */
uint32_t chain_find(struct chains *c, struct str bytes, uint64_t context, bool stays);

/*
 * Is it worth to remember chains of addresses?  Where less than every second one comes
 * again, looking each address up costs less.
 */
bool chain_pay(const struct chains *c);

/* chain_find for ev->callers, which are not empty, in a process of that state. */
uint32_t chain_find_callers(struct chains *c, const struct event *ev, uint64_t state);

/*
 * How many callers of ev, counted from the root, are the same as at the last call in that
 * state: consecutive new chains mostly share them.  ev has callers.
 */
size_t chain_shared(struct chains *c, const struct event *ev, uint64_t state);

/* Adds what chain_find did not find, without frames; returns its number. */
uint32_t chain_mark(struct chains *c);

/* The same with its n frames. */
uint32_t chain_add(struct chains *c, const frame_id *ids, size_t n);

#endif
