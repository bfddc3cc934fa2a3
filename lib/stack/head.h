/*
 * head - writes the first line of folded stacks, which describes the weights, and chooses their unit
 * by the name of the event.
 *
 * 	# pfold event=cpu-clock samples=6497 duration=2.984113 cpus=8 unit=ns
 *
 * duration= and cpus= are omitted if they are unknown.  The line ends with a word.  Programs that
 * take the last number of a line as its weight therefore skip it.
 */
#ifndef STACK_HEAD_H
#define STACK_HEAD_H

#include "base/arena.h"

struct head {
	struct str event; /* names without PMU and modifiers, separated by ',' */
	uint64_t samples;
	struct str unit; /* "ns", "cycles", "events", "samples", "bytes", "mixed" */
	uint64_t
	        /* time from the first to the last folded sample, or 0 */
	        duration_us;
	unsigned cpus; /* number of CPUs with samples, or 0 */
};

/* Returns the unit of an event's period.  base: base name of the event (reader/event_name.h). */
struct str head_unit(struct str base);

/* Parses a head.  *out points into line.  Returns false for other lines. */
bool head_parse(struct str line, struct head *out);

/* Reads seconds with six decimals.  Returns false for other text. */
bool head_duration(struct str s, uint64_t *us);

/*
 * Returns the head as a line, with a newline.  If `slots` is not 0, the line begins a table by
 * second.  In this table, the first frame of each stack is a time, and each second has `slots`
 * slots:
 *
 * 	# pfold by-second event=cpu-clock samples=6497 slots=50 unit=ns
 *
 * head_parse does not accept this line.
 */
struct str head_line(struct arena *a, const struct head *h, unsigned slots);

/* The heads of several inputs, merged into one. */
struct head_sum {
	struct head head; /* strings are in arena */
	struct arena *arena;
	size_t inputs; /* number of inputs so far */
	bool unstated; /* an input had no head, so the unit is unknown */
};

/*
 * Adds the head of another input.  h is NULL if the input has no head.  If the units differ,
 * returns false, and the unit becomes "mixed".  A head with 0 samples is ignored, unless all
 * heads have 0 samples.
 */
bool head_add(struct head_sum *sum, const struct head *h);

#endif
