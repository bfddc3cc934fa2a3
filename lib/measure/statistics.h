/*
 * statistics - counts the contents of a profile: events, threads, and their amounts over time.
 *
 * One pass, without names of frames.  Memory grows with distinct events, threads and seconds.
 * Weights of different events cannot be added, so threads and seconds are counted for each event,
 * and statistics_settle selects the event with the most samples.
 */
#ifndef MEASURE_STATISTICS_H
#define MEASURE_STATISTICS_H

#include "base/table.h"
#include "symbol/profile.h"

struct stat_event {
	str_id name;
	uint64_t samples, weight, kernel; /* kernel: weight sampled in kernel code */
	uint64_t frames, bare;            /* bare: samples without frames */
	bool tracepoint;                  /* the kernel's code in any case */
	bool runtime; /* attr.runtime: no sample, nor taken at times of its own */
};

/* A thread, or with tid -1 a process. */
struct stat_thread {
	int32_t pid, tid; /* pid -1: unknown */
	/* the last one, and for a process the name of its main thread */
	str_id comm;
	uint64_t samples, weight; /* of the chosen event */
};

struct stat_second {
	uint64_t second, samples;
};

/* A time without samples. */
struct stat_gap {
	uint64_t from_ns, to_ns;
};

enum { STAT_GAPS = 5 };

struct stat_times {
	uint64_t timed;                 /* samples with a time */
	uint64_t first_ns, last_ns;     /* of them */
	uint64_t back, back_ns;         /* steps back in time, and the longest */
	struct stat_gap gap[STAT_GAPS]; /* longest first, up to to_ns 0 */
};

struct stat_lost {
	uint64_t records, samples; /* while recording */
	uint64_t places;           /* places with lost records */
	uint64_t throttled;        /* records of throttling */
};

/* Private to statistics.c: the sums of each event, until one is chosen. */
struct stat_tally {
	struct stat_times event_times;
	struct table event_at, thread_at, share_at, second_at;
	struct stat_share {
		size_t thread, event;
		uint64_t samples, weight;
	} * share;
	size_t nshares, shares_cap;
	struct stat_part { /* a second of one event */
		uint64_t second, samples;
		size_t event;
	} * part;
	size_t nparts, parts_cap;
	size_t events_cap, threads_cap, seconds_cap;
};

struct statistics {
	struct arena *arena;
	struct interner names;
	struct stat_event *event; /* most samples first, events of a runtime last */
	size_t nevents;
	struct stat_thread *thread, *process; /* heaviest first */
	size_t nthreads, nprocesses;
	struct stat_second *second; /* of the chosen event, in order */
	size_t nseconds;
	struct stat_times times;  /* of samples, or of events if there are no samples */
	uint64_t samples, events; /* events: of a runtime */
	struct stat_lost lost;
	struct stat_tally tally;
};

/* Everything lives as long as arena. */
void statistics_init(struct statistics *s, struct arena *arena);

/* The kinds of records that profile_opts.kinds has to ask for. */
uint64_t statistics_kinds(void);

/* Takes one event of a profile that is read with profile_opts.unnamed. */
void statistics_take(struct statistics *s, const struct sample *sample);

/* After the last event: chooses, adds up and sorts.  p NULL: no records name processes. */
void statistics_settle(struct statistics *s, const struct profile *p);

#endif
