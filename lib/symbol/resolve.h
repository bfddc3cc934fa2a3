/*
 * resolve - makes frames from addresses, each frame once.  Private to symbol/.
 *
 * A frame is identified by its names and the start of its function, so each function has one
 * frame.  If an address is no longer cached, it is looked up again.  symbol/text/textline.h makes
 * the frames of a text with the functions below.
 */
#ifndef SYMBOL_RESOLVE_H
#define SYMBOL_RESOLVE_H

#include "symbol/code_blocks.h"
#include "symbol/code_number.h"
#include "symbol/recent.h"
#include "symbol/recorded.h"
#include "symbol/session.h"

/* All frames of a profile. */
struct frames {
	struct session *s;
	struct recorded recorded;
	struct resolved *frame; /* indexed by frame_id */
	uint64_t *uses;         /* indexed by frame_id: number of occurrences */
	size_t n, cap, uses_cap;
	struct recent_chains chains;
	struct recent by_ip; /* recent frames, indexed by ip and state of the mappings */
	/* frames, indexed by mapping and ip, or by code and file offset */
	struct code_blocks blocks;
	/* like `blocks`, for addresses that `blocks` cannot store */
	struct recent by_place;
	struct code_numbers codes;
	frame_id nowhere; /* frame_id + 1 of addresses without mapping and name, or 0 */
	/* indexed by frame_id: the first lookup of each frame, if `asks` is set */
	struct asked {
		struct bind_query own, other; /* other.m is NULL if there is only `own` */
	} * asked;
	size_t nasked, asked_cap;
	bool asks, visits;          /* asks: fill `asked`.  visits: visit all places */
	struct bind_query other;    /* second lookup of the last resolve_name */
	const struct mapping *core; /* the kernel for which irq and irq_end were found */
	uint64_t irq, irq_end;      /* result of bind_irq_entry */
	struct table alike;         /* (hash of a frame and its names) -> frame_id + 1 */
	struct table srcline_of;    /* (file or path, line) -> str_id of "FILE:LINE" */
	struct inlined_name *inlined; /* buffer: inlined functions of the current frame */
	struct named *named;          /* buffer: names of the current frame */
	size_t inlined_cap, named_cap;
	/* the first map that contributed a guessed name, or NULL */
	const struct item *guessed_by;
	struct placed *sample; /* frames of the current sample */
	size_t sample_cap;
};

/* The result of the search for a frame's name. */
struct found {
	str_id func;
	uint64_t off;
	bool has_off, ok, guessed;
	bool native;             /* ELF files of m gave the name */
	uint64_t before, after;  /* as in struct bound_name */
	const struct mapping *m; /* mapping of the frame, or NULL */
	uint32_t code;           /* as in struct resolved */
	const struct item *by;   /* the file that gave the name, or NULL */
	enum verified how;
	const struct inlined_name *inlined;
	size_t ninlined;
	str_id srcline;  /* source line of the innermost function */
	str_id decl;     /* declaration of the innermost function */
	bool as_inlined; /* print the innermost function as inlined */
};

/* The printed parts of a frame, without its name. */
struct printed {
	/* the address that perf prints.  in_module: the file offset, or ip if there is no file */
	uint64_t addr, in_module;
	str_id module;
	/* text in place of the address.  If empty, the format is "\t%16lx ", as in perf */
	struct str prefix;
	bool bare;     /* if the module is unknown, omit the parentheses */
	bool improved; /* the frame differs from the input */
};

void resolve_init(struct frames *t, struct session *s);

/* Returns a buffer for the n frames of a sample. */
struct placed *resolve_room(struct frames *t, size_t n);

/* Resolves the frames of a sample of perf.data into t->sample. */
void resolve_sample(struct frames *t, const struct event *ev, int32_t pid);

/* Returns true if one of the n frames has NAMED_GUESSED. */
bool resolve_guessed(const struct frames *t, size_t n);

/* Returns true if frame i of the current sample is not in a mapping. */
bool resolve_is_nowhere(const struct frames *t, size_t i);

/* Adds the n frames of the current sample to the counts of occurrences. */
void resolve_count(struct frames *t, size_t n);

/* Resolves an address that is not in a call chain, at the time of ev. */
struct placed resolve_address(struct frames *t, const struct event *ev, int32_t pid,
                              uint64_t ip, enum cpumode mode);

/*
 * Finds the name of q's address.  In the result, ok is false if there is no name, and guessed is
 * true if there were several names.
 */
struct found resolve_name(struct frames *t, const struct bind_query *q);

/* Converts a name from recorded text.  n may be NULL. */
struct found resolve_recorded(const struct frames *t, const struct recorded_name *n);

/*
 * Returns a frame with that name.  flags: NAMED_*.  Unless opts.addresses is set, all addresses
 * with the same functions share a frame.
 */
frame_id resolve_frame(struct frames *t, const struct printed *at, const struct found *f,
                       unsigned flags);

/*
 * r is a frame that a worker has sent.  Returns the frame that equals r, and adds it if it is
 * new.  Repeats the lookup, so that the parent chooses the same files as the worker.
 */
frame_id resolve_take(struct frames *t, const struct asked *asked, struct resolved *r);

/* Returns the parts of q's frame that are printed, except the name. */
struct printed resolve_print_as(const struct frames *t, const struct bind_query *q);

/*
 * Returns the frame of an address.  If another lookup of the same address may return another
 * frame later, sets *fixed to false.
 */
struct placed resolve_query(struct frames *t, const struct bind_query *q, bool *fixed);

/* Adds an empty frame. */
frame_id resolve_new_frame(struct frames *t);

/* Returns NAMED_KERNEL or NAMED_JIT, or 0, for code in m.  m may be NULL. */
unsigned resolve_flags(const struct mapping *m);

/*
 * Returns the time of ev for a bind_query.  If ev has no time, the lookup uses the last code at
 * an address.
 */
static inline uint64_t event_moment(const struct event *ev)
{
	return ev->has_time ? ev->time_ns : UINT64_MAX;
}

#endif
