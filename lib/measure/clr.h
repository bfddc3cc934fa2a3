/*
 * clr - events of the .NET runtime: where a program allocates and throws, and how long it waits
 * for locks, for the garbage collector and for the compiler.
 *
 * A view is one event with a weight, or the time between two events: of one thread, or of any
 * thread if both events have the same number, as for the collector.  The stack is the stack of
 * the first event, followed by a frame with details, "[System.String]": the type, the generation,
 * or the compiled method.  Rules do not apply to that frame.
 *
 * If events were lost, an end may belong to another beginning.  Unless a number identifies the
 * pair, such times have no weight.
 */
#ifndef MEASURE_CLR_H
#define MEASURE_CLR_H

#include "stack/fold.h"
#include "symbol/select.h"

struct clr_view;

struct clr_counts {
	uint64_t open;    /* times that began and did not end */
	uint64_t stray;   /* times that ended and did not begin */
	uint64_t lost;    /* times in which events were lost */
	uint64_t cut;     /* events with a payload that is too short for the view */
	uint64_t dropped; /* by rules */
};

struct clr {
	const struct clr_view *view; /* of this profile, or NULL to take no events */
	struct fold *fold;
	/* NULL, or set after clr_init to make texts instead of stacks: "GC gen2 Induced" */
	struct interner *texts;
	const struct select *select; /* of beginnings, or NULL for all */
	struct clr_counts counts;    /* of all profiles */
	/* private to clr.c */
	struct arena arena;   /* of one profile */
	struct arena scratch; /* text of leaves */
	unsigned in_scratch;  /* how many */
	struct table by_key;
	struct table lost_by; /* thread -> losses so far */
	uint32_t losses;      /* of all threads */
	struct clr_span *span;
	size_t n, cap;
};

/* NULL if there is no such name. */
const struct clr_view *clr_find(struct str name);

/* Returns the name of the view of an event, by the name of its attr, or an empty string. */
struct str clr_view_of(struct str event);

/* Returns "GC", and the unit of its weights: "bytes", "ns", "events". */
struct str clr_name(const struct clr_view *view);
struct str clr_unit(const struct clr_view *view);

/* The events that the view needs, at most two. */
enum { CLR_EVENTS = 2 };
size_t clr_events(const struct clr_view *view, struct str out[CLR_EVENTS]);

void clr_init(struct clr *c, struct fold *fold);

/* The weight that an event adds to a stack of the fold. */
struct clr_weight {
	stack_id stack; /* or a str_id of clr.texts, or 0 */
	uint64_t weight;
	bool span;        /* weight is the time, in ns, from from_ns on */
	uint64_t from_ns; /* else of the event */
};

/* Takes one event of p.  Returns false if the view does not use it. */
bool clr_take(struct clr *c, struct profile *p, const struct sample *s,
              struct clr_weight *out);

/* At the end of each profile: counts beginnings without an end. */
void clr_end(struct clr *c);

#endif
