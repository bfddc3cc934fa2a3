/*
 * slices - divides the weights of a fold's stacks into slices.  A slice is a span of time, or a
 * number of consecutive samples.  Spans begin at multiples of their length on the profile's
 * clock, so a part of a profile has the same slices as the whole.  A sample at the time between
 * two slices belongs to the later one.  Times are truncated to microseconds, as perf script
 * prints them, so perf.data and its text have the same slices.
 *
 * Memory grows with the number of distinct pairs of a slice and a stack.
 */
#ifndef STACK_SLICES_H
#define STACK_SLICES_H

#include "base/table.h"
#include "stack/stack.h"

/*
 * Selects the slices.  At most one member is set.  If all members are 0, there are no slices.
 */
struct slices_opts {
	uint64_t us;         /* length of a slice in us */
	uint64_t samples;    /* number of samples in a slice */
	unsigned per_second; /* number of slices in a second */
};

enum { SLICES_PER_SECOND = 50, SLICES_PER_SECOND_MOST = 1000 };

/*
 * Maximum number of parts of intervals.  Without it, a few records with long intervals could use
 * any amount of memory.
 */
enum { SLICES_PARTS_MOST = 1 << 23 };

/* The weight of one stack in one slice. */
struct slice_weight {
	uint64_t slice, weight;
	stack_id stack;
	uint32_t samples;
};

struct slices {
	struct slices_opts opts;
	size_t count;       /* number of slices with samples, set by slices_sort */
	uint64_t undivided; /* intervals that could not be divided completely */
	/* private to slices.c */
	struct arena *arena;
	struct table at; /* (slice, stack) -> 1 + index of weight */
	struct slice_weight *weight;
	size_t n, cap;
	uint64_t samples; /* number of samples so far */
	uint32_t parts;   /* number of parts that intervals were divided into */
	uint64_t first;   /* index of the slice that gets number 0 */
};

/* One slice.  weight is valid as long as the struct slices. */
struct slice {
	/* number of the slice, from 0.  Slices without samples are numbered, too */
	uint64_t number;
	uint64_t samples;
	const struct slice_weight *weight;
	size_t n;
};

/* Parses "1s", "200ms", "50us" or a number of samples.  Returns false for other text. */
bool slices_every(struct slices_opts *opts, const char *text);

/*
 * Parses the number of slots in a second, "50".  NULL is the default.  Returns false if text is
 * not a number, or if the number is 0 or too large.
 */
bool slices_by_second(struct slices_opts *opts, const char *text);

static inline bool slices_wanted(const struct slices_opts *opts)
{
	return opts->us || opts->samples || opts->per_second;
}

void slices_init(struct slices *s, struct arena *arena, const struct slices_opts *opts);

/* Returns true if slices are spans of time, so that samples need times. */
static inline bool slices_want_time(const struct slices *s)
{
	return !s->opts.samples;
}

/* Adds one sample.  time_ns is ignored unless slices_want_time. */
void slices_add(struct slices *s, uint64_t time_ns, stack_id stack, uint64_t weight);

/*
 * Adds an interval, from_ns <= to_ns.  Each slice gets the length of its part of the interval, in
 * ns. The interval counts as one sample, in the slice where it begins.
 */
void slices_add_span(struct slices *s, uint64_t from_ns, uint64_t to_ns, stack_id stack);

/* Moves all weights of stack i to stack to[i]. */
void slices_rename(struct slices *s, const stack_id *to);

/* Sorts the weights.  Call it after the last sample and before the first slices_next. */
void slices_sort(struct slices *s);

/* Sets out to the next slice.  *at is the position, initially 0.  Returns false at the end. */
bool slices_next(const struct slices *s, size_t *at, struct slice *out);

/*
 * Makes the stacks of one slice, with their weights.  `all` is the tree whose ids were passed to
 * slices_add.  `root` is the name of a root frame to add to all stacks, or 0.
 */
void slices_stacks(const struct slice *slice, const struct stacks *all, str_id root,
                   struct stacks *out);

/*
 * Returns the name of a slice.  It is "000007", or in a table by second its time since the first
 * whole second, "12.34", with enough decimals to distinguish the slices.
 */
struct str slices_name(const struct slices *s, uint64_t number, struct arena *a);

/* Returns the time on the profile's clock at which slice number 0 begins. */
uint64_t slices_begin_us(const struct slices *s);

#endif
