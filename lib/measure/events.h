/*
 * events - which of a profile's events are folded.
 *
 * Weights of different events must not be added, so one is chosen: the one asked for, else
 * the first of each profile.
 */
#ifndef MEASURE_EVENTS_H
#define MEASURE_EVENTS_H

#include "base/intern.h"

struct event_seen {
	uint64_t taken, left_out; /* samples */
	bool known, wanted;       /* known: wanted is decided, for this profile */
};

struct events {
	/* --event: a name as printed, a base, "all", or NULL for the first */
	const char *want;
	struct str (*base)(struct str); /* names with the same one are one event */
	struct interner names;
	struct event_seen *seen; /* by name */
	size_t cap;
	struct str first; /* base of the profile's first event, or p is NULL */
	str_id last_id;   /* the last lookup */
};

void events_init(struct events *e, struct arena *run, const char *want);

/* Before the first sample of each profile: it has a first event of its own. */
void events_begin(struct events *e);

/*
 * Returns the base names of the events that are taken from this profile, with ',' between them.
 */
struct str events_list_taken(const struct events *e, struct arena *a);

/* Counts one sample of event name.  Returns true if it is to be folded. */
bool events_take(struct events *e, struct str name);

/* Counts one skipped sample of event name.  Returns true for the first one. */
bool events_leave(struct events *e, struct str name);

/* Samples that were not taken. */
uint64_t events_left_out(const struct events *e);

/* "instructions (3 samples), faults (9 samples)": those not taken. */
struct str events_list_left_out(const struct events *e, struct arena *a);

#endif
