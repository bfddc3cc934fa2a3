/*
 * resolve - frames from addresses, each made once.  Private to symbol/.
 *
 * A frame is identified by its names and the start of its function, so there are as many frames
 * as functions.  An address is looked up again if it is no longer in the caches. Frames of a text
 * are made here as well (symbol/text/textline.h).
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
	struct recent by_ip; /* by state of the mappings, and ip */
	/* by mapping and ip, or by code and place in its file, */
	struct code_blocks blocks;
	struct recent by_place; /* the same, for code that does not fill a block */
	struct code_numbers codes;
	frame_id nowhere;             /* + 1, or 0 */
	const struct mapping *core;   /* the kernel of irq and irq_end */
	uint64_t irq, irq_end;        /* bind_irq_entry */
	struct table alike;           /* (hash of a frame, its names) -> frame_id + 1 */
	struct table srcline_of;      /* (file or path, line) -> str_id of "FILE:LINE" */
	struct inlined_name *inlined; /* of the frame at hand */
	struct named *named;          /* the same */
	size_t inlined_cap, named_cap;
	const struct item *guessed_by; /* the first map with a guess, or NULL */
	struct placed *sample;         /* frames of the current sample */
	size_t sample_cap;
};

/* A name found for a frame. */
struct found {
	str_id func;
	uint64_t off;
	bool has_off, ok, guessed;
	bool native;             /* ELF files of m name it */
	uint64_t before, after;  /* as in struct bound_name */
	const struct mapping *m; /* its mapping, or NULL */
	uint32_t code;           /* as in struct resolved */
	const struct item *by;   /* the file that names it, or NULL */
	enum verified how;
	const struct inlined_name *inlined;
	size_t ninlined;
	str_id srcline;  /* of the function that is there */
	str_id decl;     /* the same */
	bool as_inlined; /* that one is printed as inlined */
};

/* The parts of a frame's line beside its name. */
struct printed {
	uint64_t addr, in_module; /* the offset in its file, or the ip */
	str_id module;
	struct str prefix; /* precedes the name, or empty for perf's "\t%16lx " */
	bool bare;         /* an unknown module is not printed in parentheses */
	bool improved;     /* different from the input */
};

void resolve_init(struct frames *t, struct session *s);

/* Room for a sample of n frames. */
struct placed *resolve_room(struct frames *t, size_t n);

/* Resolves the frames of a sample of perf.data into t->sample. */
void resolve_sample(struct frames *t, const struct event *ev, int32_t pid);

/* Returns true if one of the n frames of the current sample has NAMED_GUESSED. */
bool resolve_guessed(const struct frames *t, size_t n);

/* Returns true if frame i of the current sample is not in a mapping. */
bool resolve_is_nowhere(const struct frames *t, size_t i);

/* Counts the n frames of the current sample. */
void resolve_count(struct frames *t, size_t n);

/* The frame of an address that is in no call chain, at the time of ev. */
struct placed resolve_address(struct frames *t, const struct event *ev, int32_t pid,
                              uint64_t ip, enum cpumode mode);

/* Finds the name of q's address.  If ok is not set, it has no name.  guessed: it had several. */
struct found resolve_name(struct frames *t, const struct bind_query *q);

/* Returns a name of recorded text.  n may be NULL. */
struct found resolve_recorded(const struct frames *t, const struct recorded_name *n);

/*
 * Returns a frame with that name.  flags: NAMED_*.  Without opts.addresses, there is one for all
 * addresses with the same functions.
 */
frame_id resolve_frame(struct frames *t, const struct printed *at, const struct found *f,
                       unsigned flags);

/* Returns an empty new frame. */
frame_id resolve_new_frame(struct frames *t);

/* Returns NAMED_KERNEL and NAMED_JIT for code in m, which may be NULL. */
unsigned resolve_flags(const struct mapping *m);

/* The time of ev for bind_query.  Without a time, the last code at an address is used. */
static inline uint64_t event_moment(const struct event *ev)
{
	return ev->has_time ? ev->time_ns : UINT64_MAX;
}

#endif
