/*
 * clr - weights from events of the .NET runtime.  They show where a program allocates and throws,
 * and how long it waits for locks, the garbage collector and the compiler.
 *
 * A view selects an event with a weight, or pairs of events.  The weight of a pair is the time
 * between its events.  Both events are in one thread, except for the garbage collector.  The stack
 * of the first event is used.  A leaf frame such as "[System.String]" is added to the stack.  This
 * frame shows the type, the generation, or the compiled method.  Rules do not apply to this frame.
 * If other events were lost between the two events of a pair, the two may not belong together.  The
 * pair is then ignored, unless both events contain the same number.
 */
#ifndef MEASURE_CLR_H
#define MEASURE_CLR_H

#include "stack/fold.h"
#include "symbol/select.h"

struct clr_view;

struct clr_counts {
	uint64_t open;    /* first events without a last event */
	uint64_t stray;   /* events that end a span that no event has begun */
	uint64_t lost;    /* spans that were ignored because events were lost in them */
	uint64_t cut;     /* events whose payload is too short for the view */
	uint64_t dropped; /* events that rules drop */
};

struct clr {
	/* the view for this profile, or NULL to use no events */
	const struct clr_view *view;
	struct fold *fold;
	/*
	 * if not NULL, texts such as "GC gen2 Induced" are stored here instead of stacks.
	 * May be set after clr_init
	 */
	struct interner *texts;
	/* selects spans by thread and time of their first events.  NULL selects all */
	const struct select *select;
	struct clr_counts counts; /* sums over all profiles */
	/* private to clr.c */
	struct arena arena;   /* memory for one profile */
	struct arena scratch; /* memory for labels of leaf frames */
	unsigned in_scratch;  /* number of labels in scratch */
	struct table by_key;
	struct table lost_by; /* thread -> number of losses so far */
	uint32_t losses;      /* number of losses in all threads */
	struct clr_span *span;
	size_t n, cap;
};

/* Returns the view of that name, or NULL. */
const struct clr_view *clr_find(struct str name);

/*
 * Returns the name of the view that uses an event, or an empty string.  event: name of the
 * event's attr.
 */
struct str clr_find_view(struct str event);

/*
 * Return the name of a view, such as "GC", and the unit of its weights: "bytes", "ns" or
 * "events".
 */
struct str clr_name(const struct clr_view *view);
struct str clr_unit(const struct clr_view *view);

/*
 * Stores in `out` the names of the events that the view needs.  Returns their number, at most
 * two.
 */
enum { CLR_EVENTS = 2 };
size_t clr_events(const struct clr_view *view, struct str out[CLR_EVENTS]);

void clr_init(struct clr *c, struct fold *fold);

/* The weight that an event adds to a stack. */
struct clr_weight {
	stack_id stack; /* the stack, or a str_id in clr.texts, or 0 for no weight */
	uint64_t weight;
	/* the weight is the length in ns of a span of time that starts at from_ns */
	bool span;
	/* start of the span.  If `span` is not set, time of the event */
	uint64_t from_ns;
};

/* Handles an event of p.  Returns false if the view does not use the event. */
bool clr_take(struct clr *c, struct profile *p, const struct sample *s,
              struct clr_weight *out);

/* Counts the pairs whose last event is missing.  Call it at the end of each profile. */
void clr_end(struct clr *c);

#endif
