/*
 * queue - sorts records into the order in which `perf script` takes them; private to
 * reader/.
 *
 * perf.data holds one run of records for each CPU buffer, written round by round.  At the
 * end of a round nothing older than the *previous* round's newest record can still come,
 * so all records up to that time are released, sorted by time and then by place.  Two
 * rounds wait at most, or the whole file when it has no rounds.
 */
#ifndef READER_PERFDATA_QUEUE_H
#define READER_PERFDATA_QUEUE_H

#include "base/arena.h"

struct queued {
	uint64_t time_ns;
	const char *p;  /* the record's header */
	uint32_t chunk; /* who owns the bytes; 0: the input */
	uint32_t attr;  /* index of its event */
};

struct queue {
	struct arena *arena;
	struct queued *waiting; /* in order of arrival */
	size_t n, cap;
	struct queued *ready, *spare; /* sorted; spare is for merging */
	size_t at, nready, ready_cap, spare_cap;
	uint64_t newest; /* greatest time seen */
	uint64_t limit;  /* the previous round's newest */
};

void queue_init(struct queue *q, struct arena *arena);

/* Drops all records and keeps the memory. */
void queue_clear(struct queue *q);

void queue_push(struct queue *q, struct queued e);

/* Notes the time of a record that is not queued: it counts for the rounds. */
void queue_seen(struct queue *q, uint64_t time_ns);

/*
 * A round ends; or the input ends, which releases all records.  Only when no released
 * record is left.
 */
void queue_round(struct queue *q);
void queue_end(struct queue *q);

/* The record that waits since the earliest place; NULL: none waits. */
const char *queue_first(const struct queue *q);

/* The next released record, or NULL.  Valid until the next round. */
const struct queued *queue_take(struct queue *q);

#endif
