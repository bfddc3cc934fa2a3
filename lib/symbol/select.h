/*
 * select - selects samples by thread, process, time and CPU, and limits their stacks.
 *
 * The options have the syntax of perf script (tools/perf/Documentation/perf-script.txt): commas
 * separate the parts of lists, and times are in seconds.  If a sample lacks the field that an
 * option tests, it does not match.  Lists are not copied, so they must outlive the struct.
 */
#ifndef SYMBOL_SELECT_H
#define SYMBOL_SELECT_H

#include "base/nearest.h"
#include "symbol/profile.h"
#include "symbol/time_ranges.h"

enum select_by {
	SELECT_COMM, /* names of threads.  The whole name must match */
	SELECT_PID,  /* pids */
	SELECT_TID,
	SELECT_CPU,   /* numbers and ranges: "0,2-3" */
	SELECT_EVENT, /* event names, with modifiers ("cycles:u") or without */
	SELECT_TIME,  /* see symbol/time_ranges.h */
	SELECT_STACK, /* maximum number of frames of a stack */
	SELECT_KINDS
};

/* Notes which parts of a list have matched a sample, for select_report_unmet. */
struct select_hits {
	struct arena *arena;
	uint64_t met[SELECT_KINDS]; /* bit i: part i of a list has matched, for i < 64 */
	/* a sample has the field that the list tests */
	bool looked[SELECT_KINDS];
	struct interner names; /* names of samples that matched no part */
	/* for each part of a list, the most similar name.  NULL before the first comparison */
	struct nearest *near[SELECT_KINDS];
};

struct select {
	/* arguments of the options.  p is NULL if an option is not set */
	struct str list[SELECT_KINDS];
	const struct attr *value; /* select only this event, or NULL */
	struct select_hits *hits; /* NULL if matched parts are not noted */
	struct time_ranges times; /* the parsed list[SELECT_TIME] */
	size_t max_stack;         /* the parsed list[SELECT_STACK] */
	bool hide_chain;          /* keep only the sampled address */
};

/* Sets one option.  Returns false if the syntax of arg is wrong. */
bool select_by(struct select *sel, enum select_by by, const char *arg);

/*
 * Converts the arguments of --time to times of this profile.  They may be percentages, or
 * relative to the first sample.  Call it before the first sample.  If the profile's times are
 * unknown, reports an error and returns -1.
 */
int select_settle(struct select *sel, const struct reader *r, bool relative,
                  struct diag *diag);

/*
 * Returns true if s is selected.  If an option needs a field that s lacks, sets *lacking to this
 * option.
 */
bool select_wants(const struct select *sel, const struct sample *s,
                  enum select_by *lacking);

/*
 * From this call on, notes in `hits` which parts of lists match samples.  `a` must outlive
 * `hits`.
 */
void select_begin(struct select *sel, struct select_hits *hits, struct arena *a);

/*
 * Reports the parts of lists that matched no sample since select_begin.  Suggests a similar name
 * for each.
 */
void select_report_unmet(const struct select *sel, struct diag *diag);

/* Returns true if samples of that CPU are selected. */
bool select_wants_cpu(const struct select *sel, int32_t cpu);

/* Limits ev to --max-stack frames, and returns the number of removed frames. */
size_t select_frames(const struct select *sel, struct event *ev);

/*
 * Returns true for a tracepoint, such as "sched:sched_switch".  perf prints the address of a
 * tracepoint's sample only if the sample has a stack.
 */
bool select_is_tracepoint(const struct attr *attr);

/* Returns the name of the option in --help. */
const char *select_option(enum select_by by);

#endif
