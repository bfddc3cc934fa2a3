/*
 * recent - a cache of recently used frames, by address.  Private to symbol/.
 *
 * The hash of a frame's key determines its place.  A frame replaces another frame at its place,
 * so memory is bounded.  Lookups compare the complete key.
 */
#ifndef SYMBOL_RECENT_H
#define SYMBOL_RECENT_H

#include "base/arena.h"
#include "base/hash.h"
#include "process/process.h"
#include "symbol/profile.h"

struct recent_frame {
	/* the key: owner of the address, and the address.  who is 0 if the place is free */
	uint64_t who, ip;
	struct placed at; /* the frame */
};

struct recent {
	struct arena *arena;
	struct recent_frame *frame;
	unsigned bits, most; /* there are 1 << bits places.  bits grows up to most */
	size_t kept;         /* frames added since the table grew */
};

void recent_init(struct recent *r, struct arena *a, unsigned most);

/* Returns the frame with that key, or NULL. */
static inline const struct placed *recent_find(const struct recent *r, uint64_t who,
                                               uint64_t ip)
{
	const struct recent_frame *f = &r->frame[hash_mix(who, ip) >> (64 - r->bits)];

	return f->ip == ip && f->who == who ? &f->at : NULL;
}

void recent_keep(struct recent *r, uint64_t who, uint64_t ip, struct placed at);

/* The numbers of the current sets of mappings, of a process and of the kernel. */
struct recent_state {
	uint64_t user, kernel;
};

static inline struct recent_state recent_state(struct processes *ps, int32_t pid)
{
	uint64_t user = process_state(ps, pid);

	return (struct recent_state){ user, process_kernel_state(ps) };
}

/* Returns the properties of a frame that influence its lookup, as bits. */
static inline uint32_t recent_bits(const struct frame *f)
{
	return (uint32_t)f->cpumode << 2 | (uint32_t)f->unwound << 1 | f->caller;
}

/*
 * Returns a number for the mappings of f and the kind of its lookup.  With f->ip it is the key
 * of f.
 */
static inline uint64_t recent_who(const struct recent_state *s, const struct frame *f)
{
	uint64_t state = process_is_kernel(f->cpumode) ? s->kernel : s->user;

	return state << 8 | recent_bits(f);
}

/* A frame of the last chain on a cpu. */
struct recent_link {
	uint64_t ip;
	/* recent_bits, or RECENT_NEVER if the frame must be looked up every time */
	uint32_t bits;
	struct placed at;
};

static const uint32_t RECENT_NEVER = UINT32_MAX;

enum { RECENT_CPUS = 64 }; /* on machines with more CPUs, several CPUs share a chain */

/*
 * The last chain of each cpu.  Consecutive chains of a cpu mostly differ in their innermost
 * frames only.
 */
struct recent_chains {
	struct arena *arena;
	struct recent_chain {
		struct recent_state state;
		struct recent_link *link; /* the outermost frame first */
		size_t n, cap;
	} chain[RECENT_CPUS];
};

/*
 * Prepares the links of ev's chain, with mappings s.  The outermost frames of ev may equal those
 * in the last chain on its cpu.  *same becomes their number, and their links, the first, are
 * kept.  The caller sets the other links to the other frames.
 */
struct recent_link *recent_chain(struct recent_chains *cs, const struct recent_state *s,
                                 const struct event *ev, size_t *same);

#endif
