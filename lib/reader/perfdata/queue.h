/*
 * queue - sorts records into the order of `perf script`.  Only reader/ uses it.
 *
 * perf writes the records of each CPU buffer, round by round.  After the end of a round, no
 * record is older than the newest record of the *previous* round.  Therefore all records up to
 * the time of this newest record are released, sorted by time and then by position.  At most two
 * rounds wait.  If a file has no rounds, all records wait.
 */
#ifndef READER_PERFDATA_QUEUE_H
#define READER_PERFDATA_QUEUE_H

#include "base/arena.h"

struct queued {
	uint64_t time_ns;
	const char *p;  /* header of the record */
	uint32_t chunk; /* the chunk that contains the record, or 0 for mapped bytes */
	uint32_t attr;  /* index of the record's event */
};

struct queue {
	struct arena *arena;
	struct queued *waiting; /* records in the order of the input */
	size_t n, cap;
	/* `ready` is sorted.  `spare` is used for merging */
	struct queued *ready, *spare;
	size_t at, nready, ready_cap, spare_cap;
	uint64_t newest; /* greatest time so far */
	uint64_t limit;  /* `newest` at the end of the previous round */
};

void queue_init(struct queue *q, struct arena *arena);

/* Removes all records, but keeps the memory. */
void queue_clear(struct queue *q);

void queue_push(struct queue *q, struct queued e);

/*
 * Notes the time of a record that is not queued.  The end of a round depends on the times of all
 * records.
 */
void queue_seen(struct queue *q, uint64_t time_ns);

/*
 * Call queue_round at the end of a round.  Call queue_end at the end of the input: it releases
 * all records.  Before each call, the caller must take all released records.
 */
void queue_round(struct queue *q);
void queue_end(struct queue *q);

/* Returns the waiting record with the smallest position, or NULL. */
const char *queue_first(const struct queue *q);

/* Returns the next released record, or NULL.  It is valid until the next round. */
const struct queued *queue_take(struct queue *q);

#endif
