/*
 * slices - stores the weights of a fold's stacks separately for each part of the profile's time.
 *
 * A slice is a span of time, or a number of consecutive samples.  Spans begin at multiples of
 * their length on the profile's clock, so a part of a profile has the same slices as the whole
 * profile.  A time on a boundary belongs to the later slice.  Times are truncated to
 * microseconds, as in perf script, so perf.data and its text have the same slices.
 *
 * Each distinct pair of a slice and a stack uses memory.
 */
#ifndef STACK_SLICES_H
#define STACK_SLICES_H

#include "base/table.h"
#include "stack/stack.h"

/* How slices are formed.  At most one member is set.  If all are 0, there are no slices. */
struct slices_opts {
	uint64_t us;         /* length of a slice in microseconds */
	uint64_t samples;    /* number of samples in a slice */
	unsigned per_second; /* number of slices in a second */
};

enum { SLICES_PER_SECOND = 50, SLICES_PER_SECOND_MOST = 1000 };

/*
 * Maximum number of parts into which all intervals together are divided.  Without a limit, a few
 * long intervals could use all memory.
 */
enum { SLICES_PARTS_MOST = 1 << 23 };

/* The weight of a stack in a slice. */
struct slice_weight {
	uint64_t slice, weight;
	stack_id stack;
	uint32_t samples;
};

struct slices {
	struct slices_opts opts;
	size_t count;       /* number of slices with samples.  slices_sort sets it */
	uint64_t undivided; /* number of intervals that were not divided completely */
	/* private to slices.c */
	struct arena *arena;
	struct table at; /* (slice, stack) -> index of the weight + 1 */
	struct slice_weight *weight;
	size_t n, cap;
	uint64_t samples; /* number of samples so far */
	uint32_t parts;   /* number of parts of divided intervals so far */
	uint64_t first;   /* the slice that gets number 0 */
};

/* A slice.  `weight` is valid until its struct slices is released. */
struct slice {
	/* starts at 0.  Slices without samples have a number, too */
	uint64_t number;
	uint64_t samples;
	const struct slice_weight *weight;
	size_t n;
};

/* Parses "1s", "200ms", "50us" or a number of samples.  Returns false for other text. */
bool slices_every(struct slices_opts *opts, const char *text);

/*
 * Parses the number of slots in a second, such as "50".  NULL means the default.  Returns false
 * if text is not a number, or if the number is 0 or too large.
 */
bool slices_by_second(struct slices_opts *opts, const char *text);

static inline bool slices_wanted(const struct slices_opts *opts)
{
	return opts->us || opts->samples || opts->per_second;
}

void slices_init(struct slices *s, struct arena *arena, const struct slices_opts *opts);

/* Returns true if slices are spans of time.  Samples must then have times. */
static inline bool slices_want_time(const struct slices *s)
{
	return !s->opts.samples;
}

/* Adds a sample.  Ignores time_ns unless slices_want_time returns true. */
void slices_add(struct slices *s, uint64_t time_ns, stack_id stack, uint64_t weight);

/*
 * Adds an interval from from_ns to to_ns.  If slices are spans of time, the interval is divided
 * at their boundaries, and the length of each part in ns is added to the slice that contains it.
 * Otherwise, the interval counts as one sample.
 */
void slices_add_span(struct slices *s, uint64_t from_ns, uint64_t to_ns, stack_id stack);

/* Moves all weights of stack i to stack to[i]. */
void slices_rename(struct slices *s, const stack_id *to);

/* Sorts the weights.  Call it after the last sample, and before slices_next. */
void slices_sort(struct slices *s);

/*
 * Sets *out to the next slice.  *at is the position, which is initially 0.  Returns false at the
 * end.
 */
bool slices_next(const struct slices *s, size_t *at, struct slice *out);

/*
 * Makes the stacks of a slice with their weights.  all: the tree of the stacks passed to
 * slices_add.  root: name of a root frame that is added to all stacks, or 0.
 */
void slices_stacks(const struct slice *slice, const struct stacks *all, str_id root,
                   struct stacks *out);

/*
 * Returns the name of a slice, such as "000007".  In a table by second, the name is the time
 * since the first whole second, such as "12.34", with enough decimals to distinguish slices.
 */
struct str slices_name(const struct slices *s, uint64_t number, struct arena *a);

/* Returns the time at which slice 0 begins, on the profile's clock. */
uint64_t slices_begin_us(const struct slices *s);

#endif
