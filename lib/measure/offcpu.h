/*
 * offcpu - computes the times and reasons of threads that are off the CPU, from sched:sched_switch.
 * This event fires in the thread that leaves the CPU, so its stack shows why the thread waits.  The
 * thread is on a CPU again when another sched_switch names it as the next thread, or when a switch
 * record (perf record --switch-events) shows its return.  sched_wakeup and sched_waking separate
 * the time that a thread is blocked from the time that it waits for a CPU.  The kernel's software
 * event context-switches can replace sched_switch if switch records show when a thread is back.  If
 * the profile has no switches, the sums of offcpu-time, the event of perf record --off-cpu, are
 * used unchanged.
 *
 * Time in which the thread may have run unobserved is not counted.  An interval is ignored if
 * records were lost in it, or if the thread leaves twice in sequence.  A switch on a CPU must
 * leave the thread that the last switch on this CPU entered.  Otherwise switches are missing, and
 * the time between the two switches is subtracted from every interval that contains this time.
 */
#ifndef MEASURE_OFFCPU_H
#define MEASURE_OFFCPU_H

#include "stack/graft.h"
#include "symbol/select.h"

/* Classes of a thread's time. */
enum off_class {
	OFF_BLOCKED =
	        /*
	         * from leaving the CPU until the wakeup, or until the thread runs if no
	         * wakeup was recorded
	         */
	1,
	OFF_PREEMPTED = 2, /* off the CPU, although the thread could run */
	OFF_RUNNABLE = 4,  /* from the wakeup until the thread runs */
	OFF_RUNNING =
	        /*
	         * on the CPU.  The stack has only the root, because a context switch
	         * does not record which code the thread then runs
	         */
	8,
};

enum off_frames {
	OFF_CLASS = 1, /* add a frame for the class: "[blocked]" */
	OFF_STATE = 2, /* add a frame for the kernel's thread state: "[D]" */
	OFF_WAIT = 4,  /* add a frame for the kind of wait: "[futex]" */
	OFF_NONE = 8,  /* add no frames */
};

struct offcpu_opts {
	unsigned classes, frames; /* sets of enum off_class and of enum off_frames */
	bool wakers;              /* add "--" and the stack of the waker */
	bool wall;                /* also fold time on the CPU (measure/wall.h) */
};

struct offcpu_counts {
	uint64_t switches, missing; /* missing: number of places with missing switches */
	uint64_t unreadable;        /* number of unreadable sched_switch events */
	uint64_t taken;             /* number of intervals with weight */
	uint64_t lost;              /* number of intervals in which records were lost */
	uint64_t open;              /* number of intervals that did not end */
	/* number of sums without a real time, which belong to no slice */
	uint64_t unplaced;
};

struct off_thread;
struct off_cpu;

struct offcpu {
	struct offcpu_opts opts;
	/* selects intervals by thread and start.  NULL selects all */
	const struct select *select;
	struct fold *fold;
	struct graft below;          /* puts the stacks below a root frame, "off-cpu" */
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
	uint64_t gap_ns; /* total length of the gaps in which switches are missing */
};

/* Parses "blocked,runnable" or "all".  NULL means the default.  Returns false for other text. */
bool offcpu_classes(struct offcpu_opts *opts, const char *list);

/* Parses "class,state,wait" or "none".  Returns false for other text. */
bool offcpu_frames(struct offcpu_opts *opts, const char *list);

void offcpu_init(struct offcpu *o, const struct offcpu_opts *opts, struct fold *fold);

/*
 * Handles an event of p.  Events must be in order of time.  Returns true if the event concerns
 * switches.  If the event ends an interval, adds the length of the interval in ns to its stack.
 */
bool offcpu_take(struct offcpu *o, struct profile *p, const struct sample *s);

/* Returns true if the thread and the time of the sample are selected. */
bool offcpu_wants(const struct offcpu *o, const struct sample *s);

/*
 * Sets *ns to the time that the thread of sample s has run since the last call for this thread,
 * or since it first came back to a CPU.  Returns false if switches do not show this time.
 */
bool offcpu_ran(struct offcpu *o, const struct sample *s, uint64_t *ns);

/*
 * Counts the intervals of threads that are still off the CPU.  Call it at the end of each
 * profile.
 */
void offcpu_end(struct offcpu *o);

#endif
