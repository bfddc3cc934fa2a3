/*
 * wall - the time of threads on and off the CPU in one fold, below the frames "on-cpu" and
 * "off-cpu".
 *
 * Time off the CPU is that of measure/offcpu.h.  A sample of cpu-clock or task-clock stands
 * for its period; one of cycles, or one without a period, for the time that its thread was
 * on the CPU since its sample before, which the switches tell.  Other events say nothing
 * of time.
 */
#ifndef MEASURE_WALL_H
#define MEASURE_WALL_H

#include "measure/events.h"
#include "measure/offcpu.h"

struct wall_counts {
	uint64_t seen;    /* samples of the event that tells time on the CPU */
	uint64_t samples; /* of them: with weight */
	uint64_t unknown; /* samples whose time the switches do not tell */
	uint64_t dropped; /* by rules */
};

struct wall {
	struct offcpu *off;
	struct fold *fold;
	struct events *events; /* of samples on the CPU */
	struct graft on;
	struct wall_counts counts;
};

/* off puts its stacks below "off-cpu" from now on. */
void wall_init(struct wall *w, struct offcpu *off, struct fold *fold,
               struct events *events);

/* Takes one event of p, in the order of time; times are added to the fold's stacks, in ns. */
void wall_take(struct wall *w, struct profile *p, const struct sample *s);

#endif
