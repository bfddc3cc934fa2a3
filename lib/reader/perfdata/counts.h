/*
 * counts - samples that read counters.  The last value of each counter is kept, because the
 * increase of the counter is used as weight of a sample.  Private to reader/.
 *
 * Leader sampling (perf record -e '{a,b}:S') samples one event of a group and reads all counters.
 * perf delivers the record once for each counter that increased.
 */
#ifndef READER_PERFDATA_COUNTS_H
#define READER_PERFDATA_COUNTS_H

#include "reader/perfdata/attr.h"

struct counts {
	struct arena *arena;
	struct table of; /* (id, thread for inherited counters) -> index into last + 1 */
	uint64_t *last;
	size_t n, cap;
};

/* True: samples of this event hold counter values with ids. */
bool counts_read(const struct event_attr *a);

/* Returns true if at least one of the counters belongs to a described event. */
bool counts_known(const struct attrs *as, const struct fields *f);

/*
 * Turns ev, a sample of a, into the sample of its i-th counter by setting attr and weight.
 * Returns false if the counter did not advance, or its event is unknown.
 */
bool counts_sample(struct counts *cs, const struct attrs *as, const struct event_attr *a,
                   size_t i, struct event *ev);

/* Sets all counters back to 0. */
void counts_clear(struct counts *cs);

#endif
