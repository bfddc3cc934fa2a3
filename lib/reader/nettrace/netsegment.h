/*
 * netsegment - merges the events of a nettrace between two sequence points by time.  Private to
 * reader/.
 *
 * The range between two sequence points is a segment.  The events of a thread are in order of
 * time, but a block may contain several threads.  Stack ids are valid only within a segment.  A
 * struct netsegment contains one segment: a cursor for each ordered part of a block, and the
 * positions of the stacks.
 */
#ifndef READER_NETTRACE_NETSEGMENT_H
#define READER_NETTRACE_NETSEGMENT_H

#include "base/table.h"
#include "reader/nettrace/netfile.h"

struct net_source;

struct netsegment {
	struct arena arena;
	/* parts of blocks.  The events of a part are in order of time */
	struct net_source *source;
	size_t nsources, sources_cap;
	/* a heap of indices into `source`, sorted by the time of the next event of the part */
	size_t *heap;
	size_t nheap, heap_cap;
	struct table stack_of; /* stack id -> index of the stack + 1 */
	struct str *stack;
	size_t nstacks, stacks_cap;
};

/* Removes all blocks. */
void netsegment_clear(struct netsegment *s);

/*
 * Add a block.  Return NULL, or a description of the damage.  The part of the block before the
 * damage is used.
 */
const char *netsegment_events(struct netsegment *s, const struct netfile *nf,
                              const struct netblock *block);
const char *netsegment_stacks(struct netsegment *s, const struct netblock *block);

/* Call this after the last block was added. */
void netsegment_order(struct netsegment *s);

/*
 * Returns 1 with the next event in *out, or 0 at the end, or -1 if a block is damaged.  Sets *at
 * to the offset of the block.
 */
int netsegment_next(struct netsegment *s, struct netevent *out, uint64_t *at);

/* Returns the addresses of a stack, leaf first, or an empty string. */
struct str netsegment_stack(const struct netsegment *s, uint32_t id);

#endif
