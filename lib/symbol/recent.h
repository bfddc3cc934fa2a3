/*
 * recent - a cache of recently used frames, by address.  Private to symbol/.
 *
 * The hash of a key, two numbers, selects a slot of the table.  A new frame replaces the old frame
 * in its slot, so memory is bounded.  Lookups compare the complete key.  code_blocks.h stores
 * larger slots in the same type of table.
 */
#ifndef SYMBOL_RECENT_H
#define SYMBOL_RECENT_H

#include "process/process.h"
#include "symbol/profile.h"

struct recent_frame {
	/* the key: the owner of the address, and the address.  If the slot is free, who is 0 */
	uint64_t who, ip;
	struct placed at; /* the frame */
};

struct recent {
	struct arena *arena;
	char *slot;
	size_t size; /* bytes of a slot, which begins with its key as in struct recent_frame */
	/* the table has 1 << `bits` slots.  `bits` grows up to `most` */
	unsigned bits, most;
	size_t kept; /* slots replaced since the last growth */
};

void recent_init(struct recent *r, struct arena *a, size_t size, unsigned most);

/* Returns the slot of a key, which may contain another key.  `size` is r->size. */
static inline void *recent_slot(const struct recent *r, size_t size, uint64_t who,
                                uint64_t at)
{
	return r->slot + hash_slot(who, at, r->bits) * size;
}

void recent_grow(struct recent *r);

/* As recent_slot, for a key that is about to replace another key.  The table may grow. */
static inline void *recent_replace(struct recent *r, size_t size, uint64_t who,
                                   uint64_t at)
{
	if (++r->kept > (size_t)1 << r->bits && r->bits < r->most)
		recent_grow(r);
	return recent_slot(r, size, who, at);
}

/* Frees the table. */
void recent_end(struct recent *r);

/* Returns the frame with that key, or NULL. */
static inline const struct placed *recent_find(const struct recent *r, uint64_t who,
                                               uint64_t ip)
{
	const struct recent_frame *f = recent_slot(r, sizeof(*f), who, ip);

	return f->ip == ip && f->who == who ? &f->at : NULL;
}

static inline void recent_keep(struct recent *r, uint64_t who, uint64_t ip,
                               struct placed at)
{
	struct recent_frame *f = recent_replace(r, sizeof(*f), who, ip);

	*f = (struct recent_frame){ who, ip, at };
}

/*
 * State numbers of the user mappings and of the kernel mappings.  A change of mappings changes
 * the number.
 */
struct recent_state {
	uint64_t user, kernel;
};

static inline struct recent_state recent_state(struct processes *ps, int32_t pid)
{
	uint64_t user = process_state(ps, pid);

	return (struct recent_state){ user, process_kernel_state(ps) };
}

/* Packs the properties of a frame that affect its lookup. */
static inline uint32_t recent_bits(const struct frame *f)
{
	return (uint32_t)f->cpumode << 2 | (uint32_t)f->unwound << 1 | f->caller;
}

/*
 * The key of f consists of an owner and f->ip.  Returns the owner: the state of the mappings, and
 * the properties of f that affect its lookup.
 */
static inline uint64_t recent_who(const struct recent_state *s, const struct frame *f)
{
	uint64_t state = process_is_kernel(f->cpumode) ? s->kernel : s->user;

	return state << 8 | recent_bits(f);
}

/* A frame of the last chain on a cpu. */
struct recent_link {
	uint64_t ip;
	/* recent_bits, or RECENT_NEVER if the frame must not be reused */
	uint32_t bits;
	struct placed at;
};

static const uint32_t RECENT_NEVER = UINT32_MAX;

enum { RECENT_CPUS = 64 }; /* larger CPU numbers share a slot with smaller ones */

/*
 * The last chain of each CPU.  Consecutive chains of a CPU usually differ only in their innermost
 * frames.
 */
struct recent_chains {
	struct arena *arena;
	struct recent_chain {
		struct recent_state state;
		struct recent_link *link; /* outermost frame first */
		size_t n, cap;
	} chain[RECENT_CPUS];
};

/*
 * Compares ev's chain with the last chain of its CPU, and returns the links for ev's frames.
 * *same is the number of outermost frames that are equal in both chains.  The links of these
 * frames stay valid.  The caller must set the links of the other frames.
 */
struct recent_link *recent_chain(struct recent_chains *cs, const struct recent_state *s,
                                 const struct event *ev, size_t *same);

#endif
