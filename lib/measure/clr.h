/*
 * clr - folds events of the .NET runtime.  They show where a program allocates and throws, and
 * how long it waits for locks, for the garbage collector and for the compiler.
 *
 * A view is an event with a weight, or the time between two events of one thread. The two events
 * of a collection may be from different threads.  The stack is the stack of the first event and a
 * leaf frame with details, such as "[System.String]": the type, the generation, or the compiled
 * method.  Rules do not apply to the leaf frame.
 *
 * If events were lost, an end may belong to another begin.  The time between them then counts
 * only if both events contain the same number.
 */
#ifndef MEASURE_CLR_H
#define MEASURE_CLR_H

#include "stack/fold.h"
#include "symbol/select.h"

struct clr_view;

struct clr_counts {
	uint64_t open;  /* number of begins without an end */
	uint64_t stray; /* number of ends without a begin */
	/* number of spans that were ignored, because events were lost in them */
	uint64_t lost;
	uint64_t cut; /* number of events with a payload that is too short for the view */
	uint64_t dropped; /* number of events that rules drop */
};

struct clr {
	/* the view for this profile, or NULL */
	const struct clr_view *view;
	struct fold *fold;
	/*
	 * if not NULL, texts such as "GC gen2 Induced" are stored here instead of stacks.
	 * May be set after clr_init
	 */
	struct interner *texts;
	const struct select *select; /* selects begins, or NULL for all */
	struct clr_counts counts;    /* sums over all profiles */
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

/* Return the name of a view, "GC", and the unit of its weights: "bytes", "ns" or "events". */
struct str clr_name(const struct clr_view *view);
struct str clr_unit(const struct clr_view *view);

/* Sets *out to the events that the view needs, at most two.  Returns their number. */
enum { CLR_EVENTS = 2 };
size_t clr_events(const struct clr_view *view, struct str out[CLR_EVENTS]);

void clr_init(struct clr *c, struct fold *fold);

/* The weight that an event adds to a stack. */
struct clr_weight {
	stack_id stack; /* the stack, or a str_id in clr.texts, or 0 for no weight */
	uint64_t weight;
	bool span; /* the weight is the length in ns of a time that starts at from_ns */
	/* start of that time.  If `span` is not set, time of the event */
	uint64_t from_ns;
};

/* Handles an event of p.  Returns false if the view does not use the event. */
bool clr_take(struct clr *c, struct profile *p, const struct sample *s,
              struct clr_weight *out);

/* Counts begins without an end.  Call it at the end of each profile. */
void clr_end(struct clr *c);

#endif
