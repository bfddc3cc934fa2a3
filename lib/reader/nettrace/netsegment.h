/*
 * netsegment - merges the events of a nettrace between two sequence points by time.  Private to
 * reader/.
 *
 * Events of one thread are in the order of time, but events of a block need not be.  Stack ids
 * are valid within a segment.  So one segment is held at a time: a cursor for each ordered part
 * of a block, and the place of its stacks.
 */
#ifndef READER_NETTRACE_NETSEGMENT_H
#define READER_NETTRACE_NETSEGMENT_H

#include "base/arena.h"
#include "base/table.h"
#include "reader/nettrace/netfile.h"

struct net_source;

struct netsegment {
	struct arena arena;
	struct net_source *source; /* a block of events each */
	size_t nsources, sources_cap;
	size_t *heap; /* indices of source, the earliest first */
	size_t nheap, heap_cap;
	struct table stack_of; /* stack id -> index of stack + 1 */
	struct str *stack;
	size_t nstacks, stacks_cap;
};

/* Drops all blocks. */
void netsegment_clear(struct netsegment *s);

/*
 * Adds a block.  Returns NULL, or a description of its damage.  The part before the damage is
 * used.
 */
const char *netsegment_events(struct netsegment *s, const struct netfile *nf,
                              const struct netblock *block);
const char *netsegment_stacks(struct netsegment *s, const struct netblock *block);

/* To be called after the last block. */
void netsegment_order(struct netsegment *s);

/*
 * Returns 1 with the next event, of the block at *at, in *out, 0 at the end, or -1 if that block
 * is damaged.
 */
int netsegment_next(struct netsegment *s, struct netevent *out, uint64_t *at);

/* Returns the addresses of a stack, leaf first, or an empty string. */
struct str netsegment_stack(const struct netsegment *s, uint32_t id);

#endif
