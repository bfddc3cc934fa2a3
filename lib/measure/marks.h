/*
 * marks - the times at which the garbage collector of .NET worked, and threads of managed code
 * paused, as marks beside weights by second:
 *
 * 	# pfold mark from=12.340125 to=12.361000 [GC gen2 Induced]
 *
 * Times are seconds since the first whole second of the table, cut to microseconds.
 */
#ifndef MEASURE_MARKS_H
#define MEASURE_MARKS_H

#include "base/out.h"
#include "measure/clr.h"

/* A span of the profile's time.  text is in marks.texts. */
struct mark {
	uint64_t from_ns, to_ns;
	str_id text;
};

enum { MARKS_VIEWS = 2, MARKS_EVENTS = MARKS_VIEWS * CLR_EVENTS };

struct marks {
	struct arena *arena;
	const struct str *folded; /* names of events that are folded, not only marked */
	size_t nfolded;
	struct interner texts;
	struct clr view[MARKS_VIEWS];
	struct mark *mark;
	size_t n, cap;
};

/* The events that marks are made of. */
size_t marks_events(struct str out[MARKS_EVENTS]);

void marks_init(struct marks *m, struct arena *arena);

/*
 * Takes one event of p.  Returns false if it is to be folded, whether a mark was made of it or
 * not.
 */
bool marks_take(struct marks *m, struct profile *p, const struct sample *s);

/* At the end of each profile. */
void marks_end(struct marks *m);

/*
 * Writes the lines in the order of time.  begin_us is the time of the profile at the start of the
 * table.  Earlier spans are skipped.
 */
void marks_write(struct marks *m, struct out *o, uint64_t begin_us);

#endif
