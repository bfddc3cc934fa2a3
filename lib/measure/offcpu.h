/*
 * offcpu - the time that threads spend off the CPU, from sched:sched_switch.
 *
 * The event fires in the thread that leaves, so its stack is where the time is spent;
 * the thread is back when the event names it as the next one, or when a switch record
 * (perf record --switch-events) says so.  sched_wakeup and sched_waking part the time
 * that a thread is blocked from the time that it could run and waits for a CPU.
 * context-switches, the event of the kernel's counter, does instead of sched_switch
 * where switch records tell when a thread is back.  Without any of these the sums of
 * offcpu-time, the event of perf record --off-cpu, are taken as they are.
 *
 * No time is counted in which the thread may have run unseen: an interval ends without
 * weight when records were lost in it, or when the thread leaves twice; and where a CPU's
 * switch does not come from the thread that was switched to before, the time between the
 * two is taken off every interval that holds it.
 */
#ifndef MEASURE_OFFCPU_H
#define MEASURE_OFFCPU_H

#include "stack/graft.h"
#include "symbol/select.h"

/* The ways in which a thread spends its time. */
enum off_class {
	OFF_BLOCKED =
	        1, /* from leaving until it is woken; without wakeups until it runs */
	OFF_PREEMPTED = 2, /* it left though it could go on */
	OFF_RUNNABLE = 4,  /* from being woken until it runs */
	OFF_RUNNING =
	        8, /* on the CPU; the root alone, as the events have no stack of it */
};

enum off_frames {
	OFF_CLASS = 1, /* a frame at the leaf: "[blocked]" */
	OFF_STATE = 2, /* the state, as the kernel calls it: "[D]" */
	OFF_WAIT = 4,  /* what the kernel's frames say it waits in: "[futex]" */
	OFF_NONE = 8,  /* none of them */
};

struct offcpu_opts {
	unsigned classes, frames; /* enum off_class, enum off_frames */
	bool wakers;              /* behind "--" the stack that woke the thread */
	bool wall;                /* samples on the CPU beside it: measure/wall.h */
};

struct offcpu_counts {
	uint64_t switches, missing; /* missing: places where one or more are */
	uint64_t unreadable;        /* sched_switch events whose fields cannot be read */
	uint64_t taken;             /* intervals with weight */
	uint64_t lost;              /* intervals in which records were lost */
	uint64_t open;              /* intervals that had not ended */
	uint64_t unplaced;          /* sums of no time, left out of slices of time */
};

struct off_thread;
struct off_cpu;

struct offcpu {
	struct offcpu_opts opts;
	const struct select *select; /* of threads that leave; NULL: all */
	struct fold *fold;
	struct graft below;          /* all stacks stand below its frame */
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

/* "blocked,runnable", "all", NULL for the default; false: not of that syntax. */
bool offcpu_classes(struct offcpu_opts *opts, const char *list);

/* "class,state,wait", "none"; false: not of that syntax. */
bool offcpu_frames(struct offcpu_opts *opts, const char *list);

void offcpu_init(struct offcpu *o, const struct offcpu_opts *opts, struct fold *fold);

/*
 * Takes one event of p, in the order of time.  True: it is about switches; its intervals,
 * in ns, were added to the fold's stacks.
 */
bool offcpu_take(struct offcpu *o, struct profile *p, const struct sample *s);

/* Is the sample of a thread, and a time, that was selected? */
bool offcpu_wants(const struct offcpu *o, const struct sample *s);

/*
 * For a sample on the CPU: the ns that its thread ran since the last call for it, or since
 * it was first seen to come back.  False: the switches do not tell.
 */
bool offcpu_ran(struct offcpu *o, const struct sample *s, uint64_t *ns);

/* At the end of each profile: counts the threads that are still off. */
void offcpu_end(struct offcpu *o);

#endif
