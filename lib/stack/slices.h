/*
 * slices - the weights of the stacks of a fold in each part of the profile's time.
 *
 * A slice is a span of time, or a number of consecutive samples.  Spans begin at multiples of
 * their length on the profile's clock, so a part of a profile has the slices of the whole.  A
 * time on an edge belongs to the later slice.  Times are cut to microseconds, as perf script
 * prints them, so perf.data and its text have the same slices.
 *
 * Memory is used for each distinct pair of a slice and a stack.
 */
#ifndef STACK_SLICES_H
#define STACK_SLICES_H

#include "base/table.h"
#include "stack/stack.h"

/* One of the three.  All 0: there are no slices. */
struct slices_opts {
	uint64_t us;         /* length of a slice */
	uint64_t samples;    /* samples of a slice */
	unsigned per_second; /* slices of a second */
};

enum { SLICES_PER_SECOND = 50, SLICES_PER_SECOND_MOST = 1000 };

/* Limit for the parts of intervals, because a few records can span any number of slices. */
enum { SLICES_PARTS_MOST = 1 << 23 };

/* The weight that one slice adds to one stack. */
struct slice_weight {
	uint64_t slice, weight;
	stack_id stack;
	uint32_t samples;
};

struct slices {
	struct slices_opts opts;
	size_t count;       /* slices with samples, set by slices_sort */
	uint64_t undivided; /* intervals of which a part is as long as several slices */
	/* private to slices.c */
	struct arena *arena;
	struct table at; /* (slice, stack) -> 1 + index of weight */
	struct slice_weight *weight;
	size_t n, cap;
	uint64_t samples; /* added so far */
	uint32_t parts;   /* that intervals were divided into */
	uint64_t first;   /* slice that is number 0 */
};

/* One slice.  weight is valid as long as the slices. */
struct slice {
	uint64_t number; /* from the first slice on, those without samples counted */
	uint64_t samples;
	const struct slice_weight *weight;
	size_t n;
};

/* Parses "1s", "200ms", "50us" or a number of samples.  Returns false for other text. */
bool slices_every(struct slices_opts *opts, const char *text);

/*
 * Parses the slots of a second, "50", or NULL for the default.  Returns false unless it is a
 * number up to the limit.
 */
bool slices_by_second(struct slices_opts *opts, const char *text);

static inline bool slices_wanted(const struct slices_opts *opts)
{
	return opts->us || opts->samples || opts->per_second;
}

void slices_init(struct slices *s, struct arena *arena, const struct slices_opts *opts);

/* Slices of time need samples with times. */
static inline bool slices_want_time(const struct slices *s)
{
	return !s->opts.samples;
}

/* Adds one sample.  time_ns is used if slices_want_time. */
void slices_add(struct slices *s, uint64_t time_ns, stack_id stack, uint64_t weight);

/*
 * Adds an interval, from_ns <= to_ns.  Each slice of time gets its part in ns.  It counts as one
 * sample of the slice in which it begins.
 */
void slices_add_span(struct slices *s, uint64_t from_ns, uint64_t to_ns, stack_id stack);

/* Stack i that samples were added to is stack to[i] now. */
void slices_rename(struct slices *s, const stack_id *to);

/* After the last sample and before the first slices_next. */
void slices_sort(struct slices *s);

/* Sets the slice after *at, which is initially 0.  Returns false at the end. */
bool slices_next(const struct slices *s, size_t *at, struct slice *out);

/*
 * Makes the stacks of one slice with its weights.  all is the tree of slices_add.  root is below
 * the root of out, or 0.
 */
void slices_stacks(const struct slice *slice, const struct stacks *all, str_id root,
                   struct stacks *out);

/*
 * Returns the name of a slice: "000007", or in a table by second its time since the first whole
 * second, "12.34", with enough decimals to distinguish the slices.
 */
struct str slices_name(const struct slices *s, uint64_t number, struct arena *a);

/*
 * Returns the time on the profile's clock at the start of number 0, or 0 if slices count samples.
 */
uint64_t slices_begin_us(const struct slices *s);

#endif
