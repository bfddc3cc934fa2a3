/*
 * statistics - counts the samples of a profile by event, by thread, and by second.
 *
 * There is only one pass, and frames are not named.  Memory grows with the numbers of distinct
 * events, threads and seconds.  Weights of different events cannot be added up, so threads and
 * seconds are counted for each event.  statistics_settle then selects the event with the most
 * samples.
 */
#ifndef MEASURE_STATISTICS_H
#define MEASURE_STATISTICS_H

#include "symbol/profile.h"

struct stat_event {
	str_id name;
	/* kernel: part of the weight that was sampled in kernel code */
	uint64_t samples, weight, kernel;
	uint64_t frames, bare; /* bare: samples without frames */
	bool tracepoint;       /* a tracepoint.  All its samples are in kernel code */
	bool runtime;          /* a runtime event, which is not a sample (attr.runtime) */
};

/* A thread, or a process if tid is -1. */
struct stat_thread {
	int32_t pid, tid; /* pid is -1 if unknown */
	/* last name of the thread.  For a process, name of its main thread */
	str_id comm;
	uint64_t samples, weight; /* of the selected event */
};

struct stat_second {
	uint64_t second, samples;
};

/* A span of time without samples. */
struct stat_gap {
	uint64_t from_ns, to_ns;
};

enum { STAT_GAPS = 5 };

struct stat_times {
	uint64_t timed;             /* samples with a time */
	uint64_t first_ns, last_ns; /* range of the samples' times */
	/*
	 * back: number of samples that are earlier than the previous sample.  back_ns:
	 * largest step back
	 */
	uint64_t back, back_ns;
	/* the longest gaps, the longest first.  Unused elements have to_ns 0 */
	struct stat_gap gap[STAT_GAPS];
};

struct stat_lost {
	/* numbers of lost records and of lost samples, according to the recording */
	uint64_t records, samples;
	uint64_t places;    /* number of loss records */
	uint64_t throttled; /* number of throttling records */
};

/* Private to statistics.c.  Sums for each event, before an event is selected. */
struct stat_tally {
	struct stat_times event_times;
	struct table event_at, thread_at, share_at, second_at;
	struct stat_share {
		size_t thread, event;
		uint64_t samples, weight;
	} * share;
	size_t nshares, shares_cap;
	struct stat_part { /* the samples of an event in one second */
		uint64_t second, samples;
		size_t event;
	} * part;
	size_t nparts, parts_cap;
	size_t events_cap, threads_cap;
};

struct statistics {
	struct arena *arena;
	struct interner names;
	/* sorted by samples in descending order, with runtime events last */
	struct stat_event *event;
	size_t nevents;
	struct stat_thread *thread, *process; /* sorted by weight in descending order */
	size_t nthreads, nprocesses;
	/* seconds of the selected event in order of time */
	struct stat_second *second;
	size_t nseconds;
	/* times of samples, or of runtime events if there are no samples */
	struct stat_times times;
	uint64_t samples, events; /* events: number of runtime events */
	struct stat_lost lost;
	struct stat_tally tally;
};

/* Initialises s.  All its data lives as long as arena. */
void statistics_init(struct statistics *s, struct arena *arena);

/* Returns the kinds of records that profile_opts.kinds must include. */
uint64_t statistics_kinds(void);

/* Counts an event of a profile that was opened with profile_opts.unnamed. */
void statistics_take(struct statistics *s, const struct sample *sample);

/*
 * Selects an event, sums its threads, and sorts all arrays.  Call it after the last event.  p may
 * be NULL if no records name processes.
 */
void statistics_settle(struct statistics *s, const struct profile *p);

#endif
