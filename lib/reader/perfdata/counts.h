/*
 * counts - samples that read counters: of each the last value is kept, since what
 * happened for a sample is how far its counter has come since; private to reader/.
 *
 * Leader sampling (perf record -e '{a,b}:S') samples one event of a group and reads
 * all: perf delivers the record once for each that has counted anything.
 */
#ifndef READER_PERFDATA_COUNTS_H
#define READER_PERFDATA_COUNTS_H

#include "reader/perfdata/attr.h"

struct counts {
	struct arena *arena;
	struct table of; /* (id, thread where that counts) -> index into last + 1 */
	uint64_t *last;
	size_t n, cap;
};

/* Do records of this event say which counter has which value? */
bool counts_read(const struct event_attr *a);

/* Is any of the counters one of an event that is described? */
bool counts_known(const struct attrs *as, const struct fields *f);

/*
 * Makes ev, a sample of a, the one of its i-th counter: attr and weight change.
 * False: nothing was counted, or the counter is of no known event.
 */
bool counts_sample(struct counts *cs, const struct attrs *as, const struct event_attr *a,
                   size_t i, struct event *ev);

/* Back to the beginning. */
void counts_clear(struct counts *cs);

#endif
