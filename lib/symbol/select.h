/*
 * select - selects samples, and a part of their stacks.
 *
 * The options have the syntax of perf script (tools/perf/Documentation/perf-script.txt): lists
 * are separated by commas, times are seconds.  A sample without the property does not match.
 * Lists are not copied, so they must outlive the struct.
 */
#ifndef SYMBOL_SELECT_H
#define SYMBOL_SELECT_H

#include "base/intern.h"
#include "base/nearest.h"
#include "symbol/profile.h"
#include "symbol/time_ranges.h"

enum select_by {
	SELECT_COMM, /* whole names of threads */
	SELECT_PID,  /* numbers */
	SELECT_TID,
	SELECT_CPU,   /* numbers and ranges: "0,2-3" */
	SELECT_EVENT, /* names of events, with modifiers ("cycles:u") or without */
	SELECT_TIME,  /* see symbol/time_ranges.h */
	SELECT_STACK, /* number of frames of a stack, at most */
	SELECT_KINDS
};

/* The parts of lists that occur in samples.  Used by select_report_unmet. */
struct select_hits {
	struct arena *arena;
	uint64_t met[SELECT_KINDS]; /* a bit for each of the first 64 parts of a list */
	/* some sample has the field that the list selects by */
	bool looked[SELECT_KINDS];
	struct interner names; /* names that matched no part */
	/*
	 * indexed by part of a list: the most similar name.  NULL before the first
	 * comparison
	 */
	struct nearest *near[SELECT_KINDS];
};

struct select {
	/* the arguments.  p is NULL if the option is not set */
	struct str list[SELECT_KINDS];
	const struct attr *value; /* the only event that is selected, or NULL */
	struct select_hits *hits; /* NULL if the parts that occur are not noted */
	struct time_ranges times; /* parsed list[SELECT_TIME] */
	size_t max_stack;         /* parsed list[SELECT_STACK] */
	bool hide_chain;          /* keep only the sampled address */
};

/* Sets one option.  Returns false if the syntax of arg is wrong. */
bool select_by(struct select *sel, enum select_by by, const char *arg);

/*
 * Converts the percentages of --time, and times relative to the first sample, into times of this
 * profile.  Call it before the first sample.  Returns -1, after a report, if the profile's times
 * are unknown.
 */
int select_settle(struct select *sel, const struct reader *r, bool relative,
                  struct diag *diag);

/*
 * Returns true if s is selected, whatever its frames are.  If s lacks a field that an option
 * needs, sets *lacking to that option.
 */
bool select_wants(const struct select *sel, const struct sample *s,
                  enum select_by *lacking);

/*
 * From this call on, notes in hits which parts of lists occur in samples.  a must outlive hits.
 */
void select_begin(struct select *sel, struct select_hits *hits, struct arena *a);

/* Reports the parts that occurred in no sample since select_begin, each with a similar name. */
void select_report_unmet(const struct select *sel, struct diag *diag);

/* Returns true if events of that cpu are selected. */
bool select_wants_cpu(const struct select *sel, int32_t cpu);

/* Cuts the frames of ev to --max-stack, and returns the number of removed frames. */
size_t select_frames(const struct select *sel, struct event *ev);

/*
 * Returns true for a tracepoint, such as "sched:sched_switch".  Its address is only printed with
 * a stack.
 */
bool select_is_tracepoint(const struct attr *attr);

/* Returns the option's name, as in --help. */
const char *select_option(enum select_by by);

#endif
