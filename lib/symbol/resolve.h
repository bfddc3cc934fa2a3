/*
 * resolve - a frame from an address or from a line, made once; private to symbol/.
 */
#ifndef SYMBOL_RESOLVE_H
#define SYMBOL_RESOLVE_H

#include "symbol/session.h"

/* A name found for a frame. */
struct found {
	str_id func;
	uint64_t off;
	bool has_off, ok;
	const struct mapping *m; /* where it lies; NULL when that is not known */
	const struct item *by;   /* the file that names it, or NULL */
	enum verified how;
	const struct inlined_name *inlined;
	size_t ninlined;
	str_id srcline;  /* of the function that is there */
	bool as_inlined; /* that one is printed as inlined */
};

/* What is printed of a frame beside its name. */
struct printed {
	uint64_t addr, in_module; /* both as struct named has them */
	str_id module;
	struct str prefix; /* in front of the name; empty: "\t%16lx ", as perf has it */
	bool bare;         /* no module in parentheses where none is known */
};

/* What q's address is called; all zero: nothing names it. */
struct found profile_look_up(struct profile *p, const struct bind_query *q);

/* What recorded text calls it; n may be NULL. */
struct found profile_from_recorded(const struct profile *p,
                                   const struct recorded_name *n);

/* A frame of that name; flags: NAMED_*. */
frame_id profile_make_frame(struct profile *p, const struct printed *at,
                            const struct found *f, unsigned flags);

/* One that says nothing yet. */
frame_id profile_new_frame(struct profile *p);

/* NAMED_KERNEL and NAMED_JIT of what lies in m, which may be NULL. */
unsigned profile_flags_of(const struct mapping *m);

/* Marks what stands in the place of a frame's number where that depends on the time. */
static const uint32_t FRAME_VARIES = 1u << 31;

/* Where the number of q's frame stands, given what is known of its address. */
uint32_t *profile_slot_in_time(struct profile *p, uint32_t *at,
                               const struct bind_query *q);

/* Without a time, code is what it was last. */
static inline uint64_t event_moment(const struct event *ev)
{
	return ev->has_time ? ev->time_ns : UINT64_MAX;
}

#endif
