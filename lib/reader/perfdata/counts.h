/*
 * counts - weights of samples that contain values of counters.  The weight is the increase of the
 * counter since its last value.  Private to reader/.
 *
 * Leader sampling (perf record -e '{a,b}:S') samples one event of a group and reads all counters
 * of the group.  perf delivers the record once for each counter that increased.
 */
#ifndef READER_PERFDATA_COUNTS_H
#define READER_PERFDATA_COUNTS_H

#include "reader/perfdata/attr.h"

struct counts {
	struct arena *arena;
	struct table of; /* (id, tid or 0 if not inherited) -> 1 + index into last */
	uint64_t *last;
	size_t n, cap;
};

/* Returns true if samples of this event contain counter values with ids. */
bool counts_read(const struct event_attr *a);

/* Returns true if at least one counter of the sample belongs to a described event. */
bool counts_are_known(const struct attrs *as, const struct fields *f);

/*
 * Turns ev, a sample of event `a`, into a sample of its i-th counter, by setting ev->attr and
 * ev->weight.  Returns false if the counter did not increase, or if its event is unknown.
 */
bool counts_sample(struct counts *cs, const struct attrs *as, const struct event_attr *a,
                   size_t i, struct event *ev);

/* Sets all counters back to 0. */
void counts_clear(struct counts *cs);

#endif
