/*
 * head - the first line of folded stacks: what the weights are.
 *
 *	# pfold event=cpu-clock samples=6497 unit=ns
 *
 * It ends in a word, never in a digit: readers that take the last number of a line for
 * a weight then pass over it.
 */
#ifndef STACK_HEAD_H
#define STACK_HEAD_H

#include "base/arena.h"

struct head {
	struct str event; /* names without pmu and modifiers, ',' between several */
	uint64_t samples;
	struct str unit; /* "ns", "cycles", "events", "samples", "bytes", "mixed" */
};

/* The unit of a period of the event with this base name (reader/event_name.h). */
struct str head_unit(struct str base);

/* False: line is no such line.  *out points into line. */
bool head_parse(struct str line, struct head *out);

/* The line with its line end. */
struct str head_line(struct arena *a, const struct head *h);

/*
 * The line over a table by second, whose first frames are times and of whose seconds each
 * has so many slots:
 *
 *	# pfold by-second event=cpu-clock samples=6497 slots=50 unit=ns
 *
 * head_parse does not take it.
 */
struct str head_line_by_second(struct arena *a, const struct head *h, unsigned slots);

/* The heads of several inputs become one. */
struct head_sum {
	struct head head; /* strings live in arena */
	struct arena *arena;
	size_t inputs; /* added so far */
	bool unstated; /* one of them did not say what its weights are */
};

/*
 * Adds the head of one more input; h is NULL when the input states none.  False: its
 * unit is another than before; then, and from then on, the unit is "mixed".  A head of 0
 * samples counts only if all are such heads.
 */
bool head_add(struct head_sum *sum, const struct head *h);

#endif
