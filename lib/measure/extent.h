/* extent - the time range and the set of CPUs of the samples that were folded from an input. */
#ifndef MEASURE_EXTENT_H
#define MEASURE_EXTENT_H

#include "reader/event.h"
#include "stack/head.h"

enum { EXTENT_CPUS = 4096 };

/* All fields must be zero at the start of an input. */
struct extent {
	uint64_t first_us, last_us; /* microseconds, as perf prints them */
	bool other_cpus; /* at least one sample has no CPU number, or a number beyond cpu[] */
	uint64_t cpu[EXTENT_CPUS / 64]; /* set of CPU numbers, a bit for each number */
};

void extent_add(struct extent *e, const struct event *ev);

/* Adds the times and CPUs of `other` to e. */
void extent_join(struct extent *e, const struct extent *other);

/* Sets the duration and the number of CPUs in h. */
void extent_state(const struct extent *e, struct head *h);

#endif
