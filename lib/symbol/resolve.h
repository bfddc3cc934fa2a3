/*
 * resolve - makes frames from addresses, each frame once.  Private to symbol/.
 *
 * A frame is identified by its names and the start of its function, so there are as many frames
 * as functions.  An address that is no longer in the caches is looked up again.  Frames of a
 * text are made by symbol/text/textline.h, with the functions below.
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
	uint64_t *uses;         /* indexed by frame_id: number of its occurrences */
	size_t n, cap, uses_cap;
	struct recent_chains chains;
	struct recent by_ip; /* recent frames, by ip and state of the mappings */
	/* frames, found by mapping and ip, or by code and file offset */
	struct code_blocks blocks;
	struct recent by_place; /* as `blocks`, but for code that does not fill a block */
	struct code_numbers codes;
	frame_id nowhere; /* frame_id + 1, or 0 */
	/* by frame_id: the addresses that were looked up first, if `asks` is set */
	struct asked {
		struct bind_query own, other; /* other.m is NULL if there is only `own` */
	} * asked;
	size_t nasked, asked_cap;
	bool asks, visits;            /* visits: resolve_take makes all lookups */
	struct bind_query other;      /* of the last resolve_name */
	const struct mapping *core;   /* the kernel of irq and irq_end */
	uint64_t irq, irq_end;        /* bind_irq_entry */
	struct table alike;           /* (hash of a frame, its names) -> frame_id + 1 */
	struct table srcline_of;      /* (file or path, line) -> str_id of "FILE:LINE" */
	struct inlined_name *inlined; /* inlined functions of the current frame */
	struct named *named;          /* the same */
	size_t inlined_cap, named_cap;
	/* the first map that gave a guessed name, or NULL */
	const struct item *guessed_by;
	struct placed *sample; /* frames of the current sample */
	size_t sample_cap;
};

/* The result of the search for a frame's name. */
struct found {
	str_id func;
	uint64_t off;
	bool has_off, ok, guessed;
	bool native;             /* ELF files of m have the name */
	uint64_t before, after;  /* as in struct bound_name */
	const struct mapping *m; /* the frame's mapping, or NULL */
	uint32_t code;           /* as in struct resolved */
	const struct item *by;   /* the file that names the frame, or NULL */
	enum verified how;
	const struct inlined_name *inlined;
	size_t ninlined;
	str_id srcline;  /* source line in the innermost function */
	str_id decl;     /* the same */
	bool as_inlined; /* true if the innermost function is printed as inlined */
};

/* The parts of a frame's line apart from its name. */
struct printed {
	/* address as perf prints it, and offset in the file, or ip if there is no file */
	uint64_t addr, in_module;
	str_id module;
	/* printed in place of the address.  Empty: perf's "\t%16lx " */
	struct str prefix;
	bool bare;     /* the parentheses are omitted if the module is unknown */
	bool improved; /* differs from the input */
};

void resolve_init(struct frames *t, struct session *s);

/* Returns memory for the frames of a sample with n frames. */
struct placed *resolve_room(struct frames *t, size_t n);

/* Resolves the frames of a sample of perf.data into t->sample. */
void resolve_sample(struct frames *t, const struct event *ev, int32_t pid);

/* Returns true if one of the n frames of the current sample has NAMED_GUESSED. */
bool resolve_guessed(const struct frames *t, size_t n);

/* Returns true if frame i of the current sample is not in a mapping. */
bool resolve_is_nowhere(const struct frames *t, size_t i);

/* Counts the n frames of the current sample. */
void resolve_count(struct frames *t, size_t n);

/* Returns the frame of an address that is not in a call chain, at the time of ev. */
struct placed resolve_address(struct frames *t, const struct event *ev, int32_t pid,
                              uint64_t ip, enum cpumode mode);

/*
 * Finds the name of q's address.  ok is false if there is no name.  guessed is true if there
 * were several names.
 */
struct found resolve_name(struct frames *t, const struct bind_query *q);

/* Returns the name of recorded text as a result.  n may be NULL. */
struct found resolve_recorded(const struct frames *t, const struct recorded_name *n);

/*
 * Returns a frame with that name.  flags: NAMED_*.  Without opts.addresses, all addresses with
 * the same functions have one frame.
 */
frame_id resolve_frame(struct frames *t, const struct printed *at, const struct found *f,
                       unsigned flags);

/*
 * Returns a frame of another process of the program, with the names of r.  Adds the frame if it is
 * new.  Afterwards, this process uses the same files to name it.
 */
frame_id resolve_take(struct frames *t, const struct asked *asked, struct resolved *r);

/* Returns the parts of the line of q's frame apart from its name. */
struct printed resolve_print_as(const struct frames *t, const struct bind_query *q);

/*
 * Returns the frame of an address.  Clears *fixed if the address may have another frame at
 * another time.
 */
struct placed resolve_query(struct frames *t, const struct bind_query *q, bool *fixed);

/* Adds an empty frame. */
frame_id resolve_new_frame(struct frames *t);

/* Returns NAMED_KERNEL or NAMED_JIT, or 0, for code in m.  m may be NULL. */
unsigned resolve_flags(const struct mapping *m);

/*
 * Returns the time of ev for bind_query.  If ev has no time, the last code at an address is
 * used.
 */
static inline uint64_t event_moment(const struct event *ev)
{
	return ev->has_time ? ev->time_ns : UINT64_MAX;
}

#endif
