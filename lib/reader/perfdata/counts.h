/*
 * counts - computes the weights of samples that contain counter values.  The weight is the
 * increase since the previous value of the counter.  Private to reader/.
 *
 * Leader sampling (perf record -e '{a,b}:S') samples one event of a group and reads all counters
 * of the group.  perf delivers such a record once for each counter that has increased.
 */
#ifndef READER_PERFDATA_COUNTS_H
#define READER_PERFDATA_COUNTS_H

#include "reader/perfdata/attr.h"

struct counts {
	struct arena *arena;
	struct table of; /* (id, tid) -> index in `last` + 1.  tid 0: not inherited */
	uint64_t *last;
	size_t n, cap;
};

/* Returns true if samples of this event contain counter values with ids. */
bool counts_read(const struct event_attr *a);

/* Returns true if the sample has a counter of a known event. */
bool counts_are_known(const struct attrs *as, const struct fields *f);

/*
 * For a sample of event `a`, sets ev->attr to the event of the i-th counter, and ev->weight to
 * the increase of the counter.  Returns false if the counter did not increase, or if its event is
 * unknown.
 */
bool counts_sample(struct counts *cs, const struct attrs *as, const struct event_attr *a,
                   size_t i, struct event *ev);

/* Resets all counters to 0. */
void counts_clear(struct counts *cs);

#endif
