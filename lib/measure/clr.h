/*
 * clr - what events of the .NET runtime say of a program: where it allocates and throws,
 * and how long it waits for locks, for the garbage collector and for the compiler.
 *
 * A view is one event with a weight, or the time between two: of one thread or, as the
 * collector's, of any, with a number that both events have.  The stack is that of the first
 * event; behind it stands a frame that says more, "[System.String]": the type, the
 * generation, the method that is compiled.  Rules do not judge that frame.
 *
 * Where events were lost, an end may belong to another beginning: unless a number tells, such
 * times have no weight.
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
	uint64_t cut;     /* events whose payload ends before what the view needs */
	uint64_t dropped; /* by rules */
};

struct clr {
	const struct clr_view *view; /* of this profile; NULL: nothing is taken */
	struct fold *fold;
	/* NULL, or set behind clr_init: no stacks are made, but texts: "GC gen2 Induced" */
	struct interner *texts;
	const struct select *select; /* of what begins; NULL: all */
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

/* NULL: there is none of that name. */
const struct clr_view *clr_find(struct str name);

/* The name of the view that an event belongs to, by the name of its attr; empty: of none. */
struct str clr_view_of(struct str event);

/* "GC", and what its weights are: "bytes", "ns", "events". */
struct str clr_name(const struct clr_view *view);
struct str clr_unit(const struct clr_view *view);

/* The events that view needs; it has no more than two. */
enum { CLR_EVENTS = 2 };
size_t clr_events(const struct clr_view *view, struct str out[CLR_EVENTS]);

void clr_init(struct clr *c, struct fold *fold);

/* The weight that an event adds to a stack of the fold. */
struct clr_weight {
	stack_id stack; /* or a str_id of clr.texts; 0: nothing */
	uint64_t weight;
	bool span;        /* weight is the time, in ns, from from_ns on */
	uint64_t from_ns; /* else of the event */
};

/* Takes one event of p; false: the view has nothing to do with it. */
bool clr_take(struct clr *c, struct profile *p, const struct sample *s,
              struct clr_weight *out);

/* At the end of each profile: counts what has not ended. */
void clr_end(struct clr *c);

#endif
