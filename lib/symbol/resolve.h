/*
 * resolve - frames from addresses, each made once; private to symbol/.
 *
 * A frame is known by its names and where its function begins, so frames are as many as
 * the functions that were met.  An address is looked up again when it was not met lately.
 * Frames of a text are made here as well (symbol/text/textline.h).
 */
#ifndef SYMBOL_RESOLVE_H
#define SYMBOL_RESOLVE_H

#include "base/table.h"
#include "symbol/code_blocks.h"
#include "symbol/code_number.h"
#include "symbol/recent.h"
#include "symbol/recorded.h"
#include "symbol/session.h"

/* All frames of a profile. */
struct frames {
	struct session *s;
	struct recorded recorded;
	struct resolved *frame; /* by frame_id */
	uint64_t *uses;         /* by frame_id: times it was met */
	size_t n, cap, uses_cap;
	struct recent_chains chains;
	struct recent by_ip;        /* by what was mapped when, and ip */
	struct code_blocks blocks;  /* by mapping and ip, or by code and place in its file; */
	struct recent by_place;     /* likewise, of what fills no block */
	struct code_numbers codes;
	frame_id nowhere;           /* + 1; 0: not met yet */
	const struct mapping *core; /* the kernel of irq and irq_end */
	uint64_t irq, irq_end;      /* bind_irq_entry */
	struct table alike;         /* (hash of a frame, its names) -> frame_id + 1 */
	struct table srcline_of;    /* (file, line) -> str_id of "FILE:LINE" */
	struct inlined_name *inlined; /* of the frame at hand */
	struct named *named;          /* likewise */
	size_t inlined_cap, named_cap;
	const struct item *guessed_by; /* the first map that had to guess; NULL: none */
	struct placed *sample; /* frames of the current sample */
	size_t sample_cap;
};

/* A name found for a frame. */
struct found {
	str_id func;
	uint64_t off;
	bool has_off, ok, guessed;
	bool native;             /* ELF files of m name it */
	uint64_t before, after;  /* as in struct bound_name */
	const struct mapping *m; /* where it lies; NULL when that is not known */
	uint32_t code;           /* as in struct resolved */
	const struct item *by;   /* the file that names it, or NULL */
	enum verified how;
	const struct inlined_name *inlined;
	size_t ninlined;
	str_id srcline;  /* of the function that is there */
	bool as_inlined; /* that one is printed as inlined */
};

/* The parts of a frame's line beside its name. */
struct printed {
	uint64_t addr, in_module; /* the offset in its file; the ip of others */
	str_id module;
	struct str prefix; /* in front of the name; empty: "\t%16lx ", as perf has it */
	bool bare;         /* no module in parentheses where none is known */
	bool improved;     /* unlike what the input has */
};

void resolve_init(struct frames *t, struct session *s);

/* Room for a sample of n frames. */
struct placed *resolve_room(struct frames *t, size_t n);

/* Resolves the frames of a sample of perf.data into t->sample. */
void resolve_sample(struct frames *t, const struct event *ev, int32_t pid);

/* Is there a frame with NAMED_GUESSED among the n of the current sample? */
bool resolve_guessed(const struct frames *t, size_t n);

/* Is frame i of the current sample in no mapping? */
bool resolve_is_nowhere(const struct frames *t, size_t i);

/* Counts the n frames of the current sample. */
void resolve_count(struct frames *t, size_t n);

/* The frame of an address that is in no call chain, at the time of ev. */
struct placed resolve_address(struct frames *t, const struct event *ev, int32_t pid,
                         uint64_t ip, enum cpumode mode);

/* The name of q's address.  If ok is not set, it has no name; guessed: it had several. */
struct found resolve_name(struct frames *t, const struct bind_query *q);

/* A name of recorded text; n may be NULL. */
struct found resolve_recorded(const struct frames *t, const struct recorded_name *n);

/*
 * A frame of that name; flags: NAMED_*.  Without opts.addresses, one for all addresses at which
 * the same functions are.
 */
frame_id resolve_frame(struct frames *t, const struct printed *at, const struct found *f,
                       unsigned flags);

/* A frame that says nothing yet. */
frame_id resolve_new_frame(struct frames *t);

/* NAMED_KERNEL and NAMED_JIT of what lies in m, which may be NULL. */
unsigned resolve_flags(const struct mapping *m);

/* The time of ev for bind_query: without one, code is what it was last. */
static inline uint64_t event_moment(const struct event *ev)
{
	return ev->has_time ? ev->time_ns : UINT64_MAX;
}

#endif
