/*
 * queue - sorts records into the order of `perf script`.  Private to reader/.
 *
 * perf.data has one run of records for each CPU buffer, written round by round.  After a round,
 * no record can come that is older than the newest record of the *previous* round, so all records
 * up to that time are released, sorted by time and then by place.  At most two rounds wait, or
 * the whole file if it has no rounds.
 */
#ifndef READER_PERFDATA_QUEUE_H
#define READER_PERFDATA_QUEUE_H

#include "base/arena.h"

struct queued {
	uint64_t time_ns;
	const char *p;  /* the record's header */
	uint32_t chunk; /* owner of the bytes, or 0 for the input */
	uint32_t attr;  /* index of its event */
};

struct queue {
	struct arena *arena;
	struct queued *waiting; /* in order of arrival */
	size_t n, cap;
	struct queued *ready, *spare; /* sorted.  spare is for merging */
	size_t at, nready, ready_cap, spare_cap;
	uint64_t newest; /* greatest time seen */
	uint64_t limit;  /* the previous round's newest */
};

void queue_init(struct queue *q, struct arena *arena);

/* Drops all records and keeps the memory. */
void queue_clear(struct queue *q);

void queue_push(struct queue *q, struct queued e);

/* Notes the time of a record that is not queued, because rounds use it. */
void queue_seen(struct queue *q, uint64_t time_ns);

/*
 * Call it at the end of a round, or at the end of the input, which releases all records.  All
 * released records must have been taken.
 */
void queue_round(struct queue *q);
void queue_end(struct queue *q);

/* Returns the waiting record with the earliest place, or NULL. */
const char *queue_first(const struct queue *q);

/* The next released record, or NULL.  Valid until the next round. */
const struct queued *queue_take(struct queue *q);

#endif
