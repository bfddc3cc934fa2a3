/*
 * offcpu - the time that threads spend off the CPU, from sched:sched_switch.
 *
 * The event fires in the thread that leaves the CPU, so its stack shows where the time is spent.
 * The thread is back when an event names it as the next one, or when a switch record (perf record
 * --switch-events) shows it.  sched_wakeup and sched_waking separate the time that a thread is
 * blocked from the time that it waits for a CPU. context-switches, the event of the kernel's
 * counter, replaces sched_switch if switch records show when a thread is back.  Without any of
 * these, the sums of offcpu-time, the event of perf record --off-cpu, are used unchanged.
 *
 * Time in which the thread may have run unobserved is not counted.  An interval ends without
 * weight if records were lost in it, or if the thread leaves twice.  If a CPU's switch does not
 * come from the thread to which it last switched, the time between the two is subtracted from
 * every interval that contains it.
 */
#ifndef MEASURE_OFFCPU_H
#define MEASURE_OFFCPU_H

#include "stack/graft.h"
#include "symbol/select.h"

/* The ways in which a thread spends its time. */
enum off_class {
	OFF_BLOCKED =
	        1, /* from leaving until it is woken, or without wakeups until it runs */
	OFF_PREEMPTED = 2, /* it left though it could go on */
	OFF_RUNNABLE = 4,  /* from being woken until it runs */
	OFF_RUNNING =
	        /* on the CPU, with the root alone, because these events have no stack */
	8,
};

enum off_frames {
	OFF_CLASS = 1, /* a frame at the leaf: "[blocked]" */
	OFF_STATE = 2, /* the state, as the kernel calls it: "[D]" */
	OFF_WAIT = 4,  /* the kind of wait by the kernel's frames: "[futex]" */
	OFF_NONE = 8,  /* no such frames */
};

struct offcpu_opts {
	unsigned classes, frames; /* enum off_class, enum off_frames */
	bool wakers;              /* after "--" the stack that woke the thread */
	bool wall;                /* samples on the CPU beside it: measure/wall.h */
};

struct offcpu_counts {
	uint64_t switches, missing; /* missing: places with missing switches */
	uint64_t unreadable;        /* sched_switch events with unreadable fields */
	uint64_t taken;             /* intervals with weight */
	uint64_t lost;              /* intervals in which records were lost */
	uint64_t open;              /* intervals that had not ended */
	uint64_t unplaced;          /* sums of no time, left out of slices of time */
};

struct off_thread;
struct off_cpu;

struct offcpu {
	struct offcpu_opts opts;
	const struct select *select; /* of threads that leave, or NULL for all */
	struct fold *fold;
	struct graft below;          /* all stacks are below its frame */
	struct offcpu_counts counts; /* of all profiles */
	/* private to offcpu.c */
	struct arena arena; /* of one profile */
	struct {
		struct table by_tid;
		struct off_thread *thread;
		size_t n, cap;
	} threads;
	struct {
		struct table by_cpu;
		struct off_cpu *cpu;
		size_t n, cap;
	} cpus;
	uint32_t losses; /* records of losses, and damaged places, so far */
	uint64_t damages;
	uint64_t gap_ns; /* time between switches that do not follow one another */
};

/* Parses "blocked,runnable", "all", or NULL for the default.  Returns false for other text. */
bool offcpu_classes(struct offcpu_opts *opts, const char *list);

/* Parses "class,state,wait", or "none".  Returns false for other text. */
bool offcpu_frames(struct offcpu_opts *opts, const char *list);

void offcpu_init(struct offcpu *o, const struct offcpu_opts *opts, struct fold *fold);

/*
 * Takes one event of p, in the order of time.  Returns true if it is about switches.  Its
 * intervals, in ns, were then added to the fold's stacks.
 */
bool offcpu_take(struct offcpu *o, struct profile *p, const struct sample *s);

/* Returns true if the thread and the time of the sample are selected. */
bool offcpu_wants(const struct offcpu *o, const struct sample *s);

/*
 * For a sample on the CPU: sets the ns that its thread ran since the last call for it, or since
 * it was first seen to come back.  Returns false if the switches do not show it.
 */
bool offcpu_ran(struct offcpu *o, const struct sample *s, uint64_t *ns);

/* At the end of each profile: counts the threads that are still off. */
void offcpu_end(struct offcpu *o);

#endif
