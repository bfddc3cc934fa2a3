/*
 * queue - sorts records into the order of `perf script`.  Private to reader/.
 *
 * perf.data has one run of records for each CPU buffer, written round by round.  Records after
 * the end of a round are never older than the newest record of the *previous* round.  All records
 * up to that time are then released, sorted by time and then by place.  At most two rounds wait.
 * If a file has no rounds, all its records wait.
 */
#ifndef READER_PERFDATA_QUEUE_H
#define READER_PERFDATA_QUEUE_H

#include "base/arena.h"

struct queued {
	uint64_t time_ns;
	const char *p;  /* the record's header */
	uint32_t chunk; /* the chunk with the bytes, or 0 for mapped bytes */
	uint32_t attr;  /* index of the record's event */
};

struct queue {
	struct arena *arena;
	struct queued *waiting; /* in order of arrival */
	size_t n, cap;
	/* `ready` is sorted.  `spare` is used for merging */
	struct queued *ready, *spare;
	size_t at, nready, ready_cap, spare_cap;
	uint64_t newest; /* greatest time seen */
	uint64_t limit;  /* `newest` at the end of the previous round */
};

void queue_init(struct queue *q, struct arena *arena);

/* Drops all records and keeps the memory. */
void queue_clear(struct queue *q);

void queue_push(struct queue *q, struct queued e);

/*
 * Notes the time of a record that is not queued, because rounds depend on the times of all
 * records.
 */
void queue_seen(struct queue *q, uint64_t time_ns);

/*
 * Use queue_round at the end of a round, and queue_end at the end of the input, which releases
 * all records.  All records that were released earlier must have been taken.
 */
void queue_round(struct queue *q);
void queue_end(struct queue *q);

/* Returns the waiting record with the earliest place, or NULL. */
const char *queue_first(const struct queue *q);

/* Returns the next released record, or NULL.  It is valid until the next round. */
const struct queued *queue_take(struct queue *q);

#endif
