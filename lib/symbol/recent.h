/*
 * recent - the recent frames by address.  Private to symbol/.
 *
 * Each frame has one place, by a hash of its key.  Another frame with the same place replaces it,
 * so memory is bounded.  The keys are compared completely.
 */
#ifndef SYMBOL_RECENT_H
#define SYMBOL_RECENT_H

#include "base/arena.h"
#include "base/hash.h"
#include "process/process.h"
#include "symbol/profile.h"

struct recent_frame {
	/* the key: the owner of the address.  who is 0 if the place is free */
	uint64_t who, ip;
	struct placed at; /* the frame */
};

struct recent {
	struct arena *arena;
	struct recent_frame *frame;
	unsigned bits, most; /* 1 << bits places.  bits grows up to most */
	size_t kept;         /* frames since it has grown */
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

/* Numbers of the sets of mappings that a process and the kernel have. */
struct recent_state {
	uint64_t user, kernel;
};

static inline struct recent_state recent_state(struct processes *ps, int32_t pid)
{
	uint64_t user = process_state(ps, pid);

	return (struct recent_state){ user, process_kernel_state(ps) };
}

/* How the ip of a frame is looked up. */
static inline uint32_t recent_bits(const struct frame *f)
{
	return (uint32_t)f->cpumode << 2 | (uint32_t)f->unwound << 1 | f->caller;
}

/*
 * Returns a number for the mappings of f.  Together with its ip it is the key of all that names
 * it.
 */
static inline uint64_t recent_who(const struct recent_state *s, const struct frame *f)
{
	uint64_t state = process_is_kernel(f->cpumode) ? s->kernel : s->user;

	return state << 8 | recent_bits(f);
}

/* A frame of the chain that was met last on a cpu. */
struct recent_link {
	uint64_t ip;
	uint32_t bits; /* recent_bits, or RECENT_NEVER to look it up every time */
	struct placed at;
};

static const uint32_t RECENT_NEVER = UINT32_MAX;

enum { RECENT_CPUS = 64 }; /* CPUs of a larger machine share chains */

/* Consecutive chains of a cpu mostly differ in their innermost frames. */
struct recent_chains {
	struct arena *arena;
	struct recent_chain {
		struct recent_state state;
		struct recent_link *link; /* from the root */
		size_t n, cap;
	} chain[RECENT_CPUS];
};

/*
 * Returns the links of the last chain on the cpu of ev, whose state is s.  The first *same belong
 * to the outermost frames of ev.  The caller sets the others to its other frames.
 */
struct recent_link *recent_chain(struct recent_chains *cs, const struct recent_state *s,
                                 const struct event *ev, size_t *same);

#endif
