/* extent - collects the range of times and the processors of an input's folded samples. */
#ifndef MEASURE_EXTENT_H
#define MEASURE_EXTENT_H

#include "reader/event.h"
#include "stack/head.h"

enum { EXTENT_CPUS = 4096 };

/* Zero it before each input. */
struct extent {
	uint64_t first_us, last_us; /* in microseconds, as perf prints them */
	bool other_cpus; /* some sample has no CPU number, or one that is too large */
	uint64_t cpu[EXTENT_CPUS / 64]; /* set of CPU numbers */
};

void extent_add(struct extent *e, const struct event *ev);

/* Adds another extent. */
void extent_join(struct extent *e, const struct extent *other);

/* Sets duration and number of processors in h. */
void extent_state(const struct extent *e, struct head *h);

#endif
