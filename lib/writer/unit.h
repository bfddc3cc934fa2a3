/*
 * unit - reads the unit and event of weights from pfold's header line, and writes weights with their
 * unit.
 *
 * 	# pfold event=cpu-clock samples=6497 duration=2.984113 cpus=8 unit=ns
 * 	# pfold by-second event=cpu-clock samples=6497 slots=50 unit=ns
 *
 * Unknown words are skipped.  In a table by second, the first frame of each stack is a time in
 * seconds, and slots= is the number of slots in a second.
 */
#ifndef WRITER_UNIT_H
#define WRITER_UNIT_H

#include "base/arena.h"

struct unit {
	/* for example "cpu-clock".  Empty if unknown */
	struct str event;
	struct str name;      /* "ns", "bytes" or "samples".  Empty means samples */
	uint64_t samples;     /* number of samples, or 0 if unknown */
	uint64_t duration_us; /* 0 if unknown */
	unsigned cpus;        /* number of CPUs that have samples, or 0 if unknown */
	bool empty;           /* the header line states 0 samples */
	/* number of slots in a second, or 0 if the input is not a table by second */
	unsigned per_second;
};

/*
 * Reads a header line.  Returns false for other lines.  Strings are copied to arena `a`.
 */
bool unit_read(struct unit *u, struct str line, struct arena *a);

/*
 * Returns the unit of the sum of two inputs.  Keeps the fields that are equal in both, and adds
 * the numbers of samples.  If one input has no samples, returns the unit of the other.
 */
struct unit unit_sum(const struct unit *a, const struct unit *b);

/*
 * Returns v in a readable form: "13.0 s", "1.5 MB", "6,497 samples", "1 sample".  `count` is v in
 * digits, and is used if the unit is not scaled.
 */
struct str unit_format(const struct unit *u, double v, struct str count, struct arena *a);

/* Inserts separators into digits: "1,234,567.5". */
struct str unit_group(struct str digits, struct arena *a);

#endif
