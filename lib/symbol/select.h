/*
 * select - the wanted samples, and the wanted part of their stacks.
 *
 * The options of perf script, in its syntax (tools/perf/Documentation/perf-script.txt): lists are
 * separated by commas, times are seconds.  An unknown property does not match.  Lists are kept as
 * given and not copied, so they must outlive the struct.
 */
#ifndef SYMBOL_SELECT_H
#define SYMBOL_SELECT_H

#include "base/intern.h"
#include "base/nearest.h"
#include "symbol/profile.h"
#include "symbol/time_ranges.h"

enum select_by {
	SELECT_COMM, /* names of threads, whole */
	SELECT_PID,  /* numbers */
	SELECT_TID,
	SELECT_CPU,   /* numbers and ranges: "0,2-3" */
	SELECT_EVENT, /* names, with their modifiers ("cycles:u") or without */
	SELECT_TIME,  /* symbol/time_ranges.h */
	SELECT_STACK, /* frames of a stack at most */
	SELECT_KINDS
};

/* The parts of the lists that occur in samples, see select_begin. */
struct select_hits {
	struct arena *arena;
	uint64_t met[SELECT_KINDS]; /* a bit for each of the first 64 parts */
	bool looked[SELECT_KINDS];  /* a sample has that field */
	struct interner names;      /* that were compared in vain */
	/* for each part of a list of names, or NULL */
	struct nearest *near[SELECT_KINDS];
};

struct select {
	struct str list[SELECT_KINDS]; /* p is NULL: all */
	struct select_hits *hits;      /* NULL: they are not noted */
	struct time_ranges times;      /* with list[SELECT_TIME] */
	size_t max_stack;              /* with list[SELECT_STACK] */
	bool hide_chain;               /* only the sampled address */
};

/* Sets one option.  Returns false if arg is not of its syntax. */
bool select_by(struct select *sel, enum select_by by, const char *arg);

/*
 * Call it before the first sample.  Converts the percentages of --time, and times relative to the
 * first sample, into times of this profile.  Returns -1, after a report, if its times are
 * unknown.
 */
int select_settle(struct select *sel, const struct reader *r, bool relative,
                  struct diag *diag);

/*
 * Returns true if the sample s is selected.  Its frames do not matter.  If s lacks a field that
 * an option selects by, *lacking is set to that option.
 */
bool select_wants(const struct select *sel, const struct sample *s,
                  enum select_by *lacking);

/* From now on, the parts of lists that occur in samples are noted in hits.  a outlives it. */
void select_begin(struct select *sel, struct select_hits *hits, struct arena *a);

/* Reports the parts that no sample has had since select_begin, with a name that is like them. */
void select_report_unmet(const struct select *sel, struct diag *diag);

/* Returns true if events of that cpu are selected. */
bool select_wants_cpu(const struct select *sel, int32_t cpu);

/* Cuts the frames of ev to --max-stack, and returns the number of removed frames. */
size_t select_frames(const struct select *sel, struct event *ev);

/* "sched:sched_switch": printed without an address unless there is a stack. */
bool select_is_tracepoint(const struct attr *attr);

/* The option, as --help spells it. */
const char *select_option(enum select_by by);

#endif
