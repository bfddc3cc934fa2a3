/*
 * offcpu - the time that threads spend off the CPU, from sched:sched_switch.
 *
 * The event fires in the thread that leaves the CPU, so its stack shows where the time is spent.
 * The thread is on a CPU again when another such event names it as the next thread, or when a
 * switch record shows this (perf record --switch-events).  sched_wakeup and sched_waking separate
 * the time that a thread is blocked from the time that it waits for a CPU.  context-switches, the
 * event of the kernel's counter, replaces sched_switch if switch records show when a thread is
 * back.  Without any of these, the sums of offcpu-time, the event of perf record --off-cpu, are
 * used unchanged.
 *
 * Time in which the thread may have run unobserved is not counted.  An interval ends without
 * weight if records were lost in it, or if the thread leaves twice.  If a switch on a CPU does
 * not leave the thread that the last switch there entered, switches are missing.  The time
 * between the two is then subtracted from every interval that contains it.
 */
#ifndef MEASURE_OFFCPU_H
#define MEASURE_OFFCPU_H

#include "stack/graft.h"
#include "symbol/select.h"

/* Classes of a thread's time. */
enum off_class {
	OFF_BLOCKED =
	        /*
	         * from leaving the CPU until the thread is woken, or without wakeups
	         * until it runs
	         */
	1,
	OFF_PREEMPTED = 2, /* off the CPU although the thread could run */
	OFF_RUNNABLE = 4,  /* from the wakeup until the thread runs */
	OFF_RUNNING =
	        /* on the CPU.  The stack has only the root, because these events have no stack */
	8,
};

enum off_frames {
	OFF_CLASS = 1, /* a frame at the leaf: "[blocked]" */
	OFF_STATE = 2, /* the state, as the kernel calls it: "[D]" */
	OFF_WAIT = 4,  /* the kind of wait, from the kernel's frames: "[futex]" */
	OFF_NONE = 8,  /* no frames are added */
};

struct offcpu_opts {
	unsigned classes, frames; /* sets of enum off_class and of enum off_frames */
	bool wakers;              /* add "--" and the stack that woke the thread */
	bool wall;                /* add samples on the CPU, see measure/wall.h */
};

struct offcpu_counts {
	uint64_t switches, missing; /* missing: places where switches are missing */
	uint64_t unreadable;        /* sched_switch events that cannot be read */
	uint64_t taken;             /* intervals with weight */
	uint64_t lost;              /* intervals in which records were lost */
	uint64_t open;              /* intervals that had not ended */
	uint64_t unplaced; /* sums without a real time, left out of slices of time */
};

struct off_thread;
struct off_cpu;

struct offcpu {
	struct offcpu_opts opts;
	const struct select *select; /* selects threads that leave, or NULL for all */
	struct fold *fold;
	struct graft below;          /* adds the frame that is above all stacks */
	struct offcpu_counts counts; /* sums over all profiles */
	/* private to offcpu.c */
	struct arena arena; /* memory for one profile */
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
	uint32_t losses; /* number of loss records and damaged places so far */
	uint64_t damages;
	uint64_t gap_ns; /* sum of all times in which switches are missing */
};

/* Parses "blocked,runnable", "all", or NULL for the default.  Returns false for other text. */
bool offcpu_classes(struct offcpu_opts *opts, const char *list);

/* Parses "class,state,wait", or "none".  Returns false for other text. */
bool offcpu_frames(struct offcpu_opts *opts, const char *list);

void offcpu_init(struct offcpu *o, const struct offcpu_opts *opts, struct fold *fold);

/*
 * Takes one event of p.  Events must be in the order of time.  Returns true if the event is
 * about switches.  The intervals that it ends are added to the fold's stacks, in ns.
 */
bool offcpu_take(struct offcpu *o, struct profile *p, const struct sample *s);

/* Returns true if the thread and the time of the sample are selected. */
bool offcpu_wants(const struct offcpu *o, const struct sample *s);

/*
 * Sets the time in ns that the thread of s, a sample on the CPU, has run since the last call for
 * it, or since it was first seen to come back.  Returns false if the switches do not show it.
 */
bool offcpu_ran(struct offcpu *o, const struct sample *s, uint64_t *ns);

/* Counts the threads that are still off.  Call it at the end of each profile. */
void offcpu_end(struct offcpu *o);

#endif
