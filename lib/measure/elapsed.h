/*
 * elapsed - weighs stacks by the time between two events of one thread, begin and end.  The stack
 * of the begin event is used.  For example, syscalls:sys_enter_read..syscalls:sys_exit_read
 * measures reads.
 *
 * An end event belongs to the last begin event of its thread.  A begin event gets no weight if
 * another begin event follows it, or if there is no end event.  An end event without a begin event
 * is ignored.  So no time is counted twice if records are missing.  Pairs are not made across lost
 * or damaged records.
 */
#ifndef MEASURE_ELAPSED_H
#define MEASURE_ELAPSED_H

#include "measure/events.h"
#include "stack/fold.h"
#include "symbol/select.h"

struct measure;

struct elapsed_opts {
	struct str begin, end; /* event names as in --event, or empty */
};

struct elapsed_counts {
	uint64_t begins, ends;
	uint64_t taken; /* number of pairs that have weight */
	/* begin events without an end event, if later records were lost or damaged */
	uint64_t lost;
	uint64_t unended; /* begin events without an end, if no records were lost */
	uint64_t unbegun; /* end events without a begin event */
	uint64_t dropped; /* begin events that rules drop */
	uint64_t untimed; /* events without a time or without a thread */
};

struct elapsed_thread;

struct elapsed {
	struct elapsed_opts opts;
	const struct select *select; /* selects begin events, or NULL for all */
	struct fold *fold;
	struct events other; /* events other than begin and end */
	struct elapsed_counts counts;
	/* private to elapsed.c */
	struct arena arena; /* memory for one profile */
	struct table by_tid, roles;
	struct elapsed_thread *thread;
	size_t n, cap;
	/* numbers of loss records and of damaged places so far */
	uint64_t losses, damages;
};

/* Parses "BEGIN..END".  *opts points into arg.  Returns false for other text. */
bool elapsed_parse(struct elapsed_opts *opts, const char *arg);

/* Initialises l.  run must outlive l. */
void elapsed_init(struct elapsed *l, const struct elapsed_opts *opts, struct fold *fold,
                  struct arena *run);

/*
 * Handles an event of p.  Events must be in order of time.  Adds the time of each pair in ns to
 * its stack.
 */
void elapsed_take(struct elapsed *l, struct profile *p, const struct sample *s);

/* Counts begin events without an end event.  Call it at the end of each profile. */
void elapsed_end(struct elapsed *l);

/* The measure of --weight-of, which weighs each stack by elapsed time. */
extern const struct measure elapsed_measure;

#endif
