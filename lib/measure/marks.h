/*
 * marks - spans of time in which the garbage collector of .NET worked, or threads of managed code
 * paused.  They are written as marks in a table by second:
 *
 * 	# pfold mark from=12.340125 to=12.361000 [GC gen2 Induced]
 *
 * Times are seconds since the first whole second of the table, truncated to microseconds.
 */
#ifndef MEASURE_MARKS_H
#define MEASURE_MARKS_H

#include "measure/clr.h"

/* A span on the profile's clock.  text is an id of marks.texts. */
struct mark {
	uint64_t from_ns, to_ns;
	str_id text;
};

enum { MARKS_VIEWS = 2, MARKS_EVENTS = MARKS_VIEWS * CLR_EVENTS };

struct marks {
	struct arena *arena;
	/* names of events that are both folded and used for marks */
	const struct str *folded;
	size_t nfolded;
	struct interner texts;
	struct clr view[MARKS_VIEWS];
	struct mark *mark;
	size_t n, cap;
};

/*
 * Stores in `out` the names of the events from which marks are made.  Returns their number.
 */
size_t marks_events(struct str out[MARKS_EVENTS]);

void marks_init(struct marks *m, struct arena *arena);

/*
 * Handles an event of p, and adds a mark if the event completes a mark.  Returns false if the
 * event must also be folded.
 */
bool marks_take(struct marks *m, struct profile *p, const struct sample *s);

/* Drops spans that have no end.  Call it at the end of each profile. */
void marks_end(struct marks *m);

/*
 * Writes the marks in order of time.  begin_us: the profile's time at the start of the table by
 * second.  Skips marks that end before begin_us.
 */
void marks_write(struct marks *m, struct out *o, uint64_t begin_us);

#endif
