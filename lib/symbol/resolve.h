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
#include "symbol/recorded.h"
#include "symbol/session.h"

/* Numbers for mapped code, equal if the code is equal.  Zero bytes are a valid empty state. */
struct code_numbers {
	/* indexed by mapping id: the number of its code + 1, or 0 before the first lookup */
	uint32_t *of_mapping;
	size_t cap;
	struct table places; /* (native, module, shift) -> number */
	struct table codes;  /* (number in `places`, build-id, evidence) -> number */
};

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
	struct recent blocks;
	struct recent by_place; /* frames that `blocks` cannot store */
	struct code_numbers codes;
	frame_id nowhere; /* frame_id + 1 of addresses without mapping and name, or 0 */
	/* indexed by frame_id: the first lookup of each frame, if `asks` is set */
	struct asked {
		struct bind_query own, other; /* other.m is NULL if there is only `own` */
	} * asked;
	size_t nasked, asked_cap;
	/* asks: fill `asked`.  visits: the argument `all` of bind_visit_places */
	bool asks, visits;
	struct bind_query other;    /* second lookup of the last resolve_name */
	const struct mapping *core; /* the kernel for which irq and irq_end were found */
	uint64_t irq, irq_end;      /* result of bind_irq_entry */
	struct table alike;         /* (hash of a frame and its names) -> frame_id + 1 */
	struct table srcline_of;    /* (file or path, line) -> str_id of "FILE:LINE" */
	/* the frame that is being made, with its names */
	struct resolved made;
	struct named *named;
	size_t named_cap;
	/* the first map that contributed a guessed name, or NULL */
	const struct item *guessed_by;
	struct placed *sample; /* frames of the current sample */
	size_t sample_cap;
};

void resolve_init(struct frames *t, struct session *s);
void resolve_forget(struct frames *t); /* frees the caches, after the last sample */

/* Returns a buffer for the n frames of a sample. */
struct placed *resolve_room(struct frames *t, size_t n);

/* Resolves the frames of a sample of perf.data into t->sample. */
void resolve_sample(struct frames *t, const struct event *ev, int32_t pid);

/* Returns true if one of the n frames has NAMED_GUESSED. */
bool resolve_guessed(const struct frames *t, size_t n);
/* Returns true if frame i of the current sample is not in a mapping. */
bool resolve_is_nowhere(const struct frames *t, size_t i);
/* Counts the n frames of the current sample `times` times. */
void resolve_count(struct frames *t, size_t n, uint64_t times);

/* Resolves an address that is not in a call chain, at the time of ev. */
struct placed resolve_address(struct frames *t, const struct event *ev, int32_t pid,
                              uint64_t ip, enum cpumode mode);

/*
 * A frame is made in three steps.  resolve_begin makes a frame that has no name and is printed with
 * that address and module.  m may be NULL.  Other functions then give it names, in t->made and
 * t->named.  resolve_end returns the frame with these names.  Unless opts.addresses is set, all
 * addresses with the same functions share a frame.  Call resolve_share before resolve_end if the
 * names do not depend on the mapping m: mappings of the same code then also share a frame.
 */
struct resolved *resolve_begin(struct frames *t, uint64_t addr, str_id module,
                               const struct mapping *m);
frame_id resolve_end(struct frames *t);
void resolve_share(struct frames *t, const struct mapping *m);

/* Begins the frame of q's address.  Uses the module of q->m. */
void resolve_begin_at(struct frames *t, const struct bind_query *q);

/* Returns the function that contains the address of the frame that is being made. */
static inline struct named *resolve_own(const struct frames *t)
{
	return &t->named[t->made.n - 1];
}

/* Returns true if the function of resolve_own has a name. */
static inline bool resolve_is_named(const struct frames *t)
{
	return !(resolve_own(t)->flags & NAMED_UNKNOWN);
}

/* Returns true if the function has a name, or a guessed name that opts.strict omits. */
static inline bool resolve_is_decided(const struct frames *t)
{
	return resolve_is_named(t) || resolve_own(t)->flags & NAMED_GUESSED;
}

/* Sets the name of the function and, if has_off is set, the start of the function. */
void resolve_call(struct frames *t, str_id func, bool has_off, uint64_t off);

/*
 * Finds the name of q's address for the frame that is being made.  Sets *by to the name that a file
 * gave, or clears *by if no file gave a name.
 */
void resolve_name(struct frames *t, const struct bind_query *q, struct bound_name *by);

/* Gives a name from recorded text to the frame that is being made.  n may be NULL. */
void resolve_recorded(struct frames *t, const struct recorded_name *n);

/*
 * r is a frame that a worker has sent.  Returns the frame that equals r, and adds it if it is
 * new.  Repeats the lookup, so that the parent chooses the same files as the worker.
 */
frame_id resolve_take(struct frames *t, const struct asked *asked, struct resolved *r);

/*
 * Returns the frame of an address.  If another lookup of the same address may return another
 * frame later, sets *fixed to false.
 */
struct placed resolve_query(struct frames *t, const struct bind_query *q, bool *fixed);

/* Adds an empty frame. */
frame_id resolve_new_frame(struct frames *t);

/*
 * Returns the time of ev for a bind_query.  If ev has no time, the lookup uses the last code at
 * an address.
 */
static inline uint64_t event_moment(const struct event *ev)
{
	return ev->has_time ? ev->time_ns : UINT64_MAX;
}

#endif
