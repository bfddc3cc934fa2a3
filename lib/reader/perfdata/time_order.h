/*
 * time_order - sorts records into the order of `perf script`.  Only reader/ uses it.
 *
 * perf writes the records of each CPU buffer, round by round.  After the end of a round, no
 * record is older than the newest record of the *previous* round.  Therefore all records up to
 * the time of this newest record are released, sorted by time and then by position.  At most two
 * rounds wait.  If a file has no rounds, all records wait.
 */
#ifndef READER_PERFDATA_TIME_ORDER_H
#define READER_PERFDATA_TIME_ORDER_H

#include "base/arena.h"

struct queued {
	uint64_t time_ns;
	const char *p;  /* header of the record */
	uint32_t chunk; /* the chunk that contains the record, or 0 for mapped bytes */
	uint32_t attr;  /* index of the record's event */
};

/* All fields except for `arena` are initially zero. */
struct time_order {
	struct arena *arena;
	struct queued *waiting; /* records in the order of the input */
	size_t n, cap;
	/* `ready` is sorted.  `spare` is used for merging */
	struct queued *ready, *spare;
	size_t at, nready, ready_cap, spare_cap;
	uint64_t newest; /* greatest time so far */
	uint64_t limit;  /* `newest` at the end of the previous round */
};

/* Removes all records, but keeps the memory. */
void time_order_clear(struct time_order *q);

void time_order_push(struct time_order *q, struct queued e);

/*
 * Notes the time of a record that is not queued.  The end of a round depends on the times of all
 * records.
 */
void time_order_seen(struct time_order *q, uint64_t time_ns);

/*
 * Release waiting records.  Call time_order_round at the end of a round.  Call time_order_end,
 * which releases all records, at the end of the input.  Before each call, the caller must take all
 * released records.
 */
void time_order_round(struct time_order *q);
void time_order_end(struct time_order *q);

/* Returns the waiting record with the smallest position, or NULL. */
const char *time_order_first(const struct time_order *q);

/* Returns the next released record, or NULL.  It is valid until the next round. */
const struct queued *time_order_take(struct time_order *q);

#endif
