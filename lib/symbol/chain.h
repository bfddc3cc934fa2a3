/*
 * chain - the callers of a sample, remembered as a whole.
 *
 * Profiles say the same call chains again and again.  All behind a sample's first frame
 * (of a text the bytes of the lines, else of the addresses, and what was mapped then) is
 * hashed once, and what it resolved to is found by the hash and the length.
 */
#ifndef SYMBOL_CHAIN_H
#define SYMBOL_CHAIN_H

#include "base/table.h"
#include "process/process.h"
#include "symbol/profile.h"

struct chain {
	frame_id *ids;
	size_t n;
	uint64_t uses; /* samples that are counted by it, and not frame by frame */
};

struct chains {
	struct arena *arena;
	uint64_t seed;
	struct table index;  /* (hash, length) -> number */
	struct chain *chain; /* by number, from 1; only what chain_add added */
	size_t n, cap;
	uint64_t hash, length; /* of what chain_find did not find */
	uint64_t again;        /* times that one was found */
	struct frame *last;    /* the callers that chain_shared was asked for last */
	size_t nlast, last_cap;
	uint64_t last_state; /* 0: it was not yet */
};

void chain_init(struct chains *c, struct arena *arena);

/* The number of the chain that these bytes are in that context; 0: not remembered. */
uint32_t chain_find(struct chains *c, struct str bytes, uint64_t context);

/*
 * Do they come again?  Where less than every second one does, to remember chains of
 * addresses costs more than to look up each.
 */
bool chain_pay(const struct chains *c);

/* Of ev->callers, which are not empty, in a process of that state. */
uint32_t chain_find_callers(struct chains *c, const struct event *ev, uint64_t state);

/*
 * A new chain mostly begins, seen from the root, as the one before it: how many callers
 * of ev, which has some, are at their end as those of the last call, in that state.
 */
size_t chain_shared(struct chains *c, const struct event *ev, uint64_t state);

/* Remembers that there was what chain_find did not find; returns its number. */
uint32_t chain_mark(struct chains *c);

/* And what it is, its n frames. */
uint32_t chain_add(struct chains *c, const frame_id *ids, size_t n);

#endif
