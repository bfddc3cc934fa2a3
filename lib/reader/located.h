/*
 * located - the common part of formats with a table of locations.  Private to reader/.
 *
 * A format fills in the tables when it opens.  Then each call to its `read` sets the current
 * sample.  The mappings are delivered first, then an event for each value of each sample.
 */
#ifndef READER_LOCATED_H
#define READER_LOCATED_H

#include "reader/format.h"

struct located_map {
	uint64_t id; /* its id in the profile */
	uint64_t start, limit, file_off;
	struct str path, build_id; /* build_id: raw bytes, or empty */
	int32_t pid;               /* -1 if unknown */
	bool used[2];              /* some address is inside, or outside of the range */
};

struct located_place {
	uint64_t id, addr;
	uint32_t map;    /* index + 1, or 0 */
	bool kernel;     /* set by located_settle */
	struct str rest; /* for the format: the message that has the lines */
};

/* The current sample. */
struct located_sample {
	struct str comm;    /* name of the thread, or empty */
	int32_t pid, tid;   /* or -1 */
	struct str callers; /* as in struct event */
	size_t n, nvalues;  /* of `at` and `value` */
	uint64_t at;        /* its place in the input */
	uint64_t time_ns;   /* or 0 */
};

struct located {
	struct reader base;
	/*
	 * Reads the next sample into `sample`, `frames` and `value`.  Returns the same
	 * numbers as reader_next.
	 */
	int (*read)(struct located *l);
	struct located_map *map;
	struct located_place *place;
	struct attr *attr;         /* by column of values */
	const struct attr **shown; /* the same, the default column first */
	size_t nmaps, maps_cap, nplaces, places_cap, nattrs;
	size_t column;   /* the default column */
	struct str comm; /* name of threads without a name */
	size_t given;    /* halves of mappings that were delivered, two for each */
	size_t turn;     /* the next of `shown` for the current sample */
	struct located_sample sample;
	struct frame *frames;
	int64_t *value;
	size_t frames_cap, values_cap;
};

/* Sets `used` of the mappings.  Call it when the tables are complete. */
void located_settle(struct located *l);

/* Adds the frame of the place with index `at`.  SIZE_MAX is an unknown place. */
void located_frame(struct located *l, size_t at);
void located_value(struct located *l, int64_t value);

/* Begins a new sample in l->sample. */
void located_begin(struct located *l, uint64_t at);

/* Implement the functions of struct format. */
int located_next(struct reader *r, struct event *ev);
size_t located_attrs(const struct reader *r, const struct attr *const **out);
void located_restart(struct located *l);

/* Returns the number of a place's mapping for struct location. */
uint32_t located_number(const struct located *l, const struct located_place *p);

#endif
