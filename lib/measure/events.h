/*
 * events - selects which events of a profile are folded.
 *
 * Weights of different events must not be added, so only one event is folded: the event that
 * `want` names, or, if `want` is NULL, the first event of each profile.
 */
#ifndef MEASURE_EVENTS_H
#define MEASURE_EVENTS_H

#include "base/intern.h"

struct event_seen {
	/* taken: number of folded samples.  left_out: number of skipped samples */
	uint64_t taken, left_out;
	/* wanted: the event is folded.  known: `wanted` is valid for this profile */
	bool known, wanted;
};

struct events {
	/* argument of --event: a printed name, a base name, or "all".  NULL for the first event */
	const char *want;
	/* returns the base name of a name.  Events with equal base names count as one event */
	struct str (*base)(struct str);
	struct interner names;
	struct event_seen *seen; /* sorted by name */
	size_t cap;
	/* base name of the profile's first event.  first.p is NULL before this event */
	struct str first;
	/* ids of the last two different names that were looked up */
	str_id last_id, before_id;
};

void events_init(struct events *e, struct arena *run, const char *want);

/* Forgets the first event of the last profile.  Call it before the first sample of a profile. */
void events_begin(struct events *e);

/* Returns the base names of this profile's folded events, separated by ','. */
struct str events_list_taken(const struct events *e, struct arena *a);

/* Returns true if samples of an event are folded.  e->want must be set. */
bool events_wants(const struct events *e, struct str name);

/* Count a sample, or `times` samples, of an event.  Return true if they must be folded. */
bool events_take(struct events *e, struct str name);
bool events_take_times(struct events *e, struct str name, uint64_t times);

/* Adds numbers of samples that another process has counted. */
void events_add(struct events *e, struct str name, uint64_t taken, uint64_t left_out);
void events_clear_counts(struct events *e);

/*
 * Counts a skipped sample of the event `name`.  Returns true for the first sample of this event.
 */
bool events_leave(struct events *e, struct str name);

/* Returns the events that were not folded: "instructions (3 samples), faults (9 samples)". */
struct str events_list_left_out(const struct events *e, struct arena *a);

#endif
