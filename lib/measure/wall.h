/*
 * wall - folds the time that threads spend on and off the CPU, below the root frames "on-cpu" and
 * "off-cpu".  measure/offcpu.h measures the time off the CPU.  A sample of cpu-clock or
 * task-clock represents its period.  A sample of cycles, or a sample without a period, represents
 * the time that its thread has run since the thread's previous sample, according to the context
 * switches.  Samples of other events represent no time.
 */
#ifndef MEASURE_WALL_H
#define MEASURE_WALL_H

#include "measure/events.h"
#include "measure/offcpu.h"

struct wall_counts {
	uint64_t seen;    /* samples of events that represent time on the CPU */
	uint64_t samples; /* samples in `seen` that have weight */
	uint64_t unknown; /* samples in `seen` whose time is unknown */
	uint64_t dropped; /* samples that rules drop */
};

struct wall {
	struct offcpu *off;
	struct fold *fold;
	struct events *events; /* selects the event that represents time on the CPU */
	struct graft on;
	struct wall_counts counts;
};

/* Initialises w.  From now on, `off` adds its stacks below the frame "off-cpu". */
void wall_init(struct wall *w, struct offcpu *off, struct fold *fold,
               struct events *events);

/* Handles an event of p.  Events must be in order of time.  Adds times in ns to stacks. */
void wall_take(struct wall *w, struct profile *p, const struct sample *s);

#endif
