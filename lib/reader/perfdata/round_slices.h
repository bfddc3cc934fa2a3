/*
 * round_slices - divides a perf.data into slices for reader/sliced.h.  Private to reader/.
 *
 * The end of a round releases records (time_order.h).  A slice begins after the delivery of
 * these records.  Some records of the ended round still wait.  So a process that begins with a
 * slice first reads the round before the slice:
 *
 * 	... end of round 7 | records of round 8 | end of round 8 | records of round 9 ...
 * 			   ^ place.at       place.round: 8  ^ the slice begins
 *
 * One pass notes the places of the slices, and all records that change mappings and names.  If it
 * skips samples, its reports are held until it is known that no sample is damaged.
 */
#ifndef READER_PERFDATA_ROUND_SLICES_H
#define READER_PERFDATA_ROUND_SLICES_H

#include "reader/perfdata/input.h"

/* Counts of unreadable bytes and records in this pass. */
struct losses {
	/* number of damaged bytes, and of complete records with inconsistent contents */
	uint64_t bytes, records;
	uint64_t unknown; /* records of unknown types, which are not damage */
	uint64_t first;   /* offset of the first loss, in the input called `name` */
	struct str name;
	bool said;
	bool unknown_id; /* a record of an unknown event was reported */
};

/* The start of a slice. */
struct place {
	uint64_t at; /* offset of the last round before the slice */
	size_t input;
	uint64_t limit; /* the newest time before the round at `at` */
	uint64_t round; /* number of rounds before the slice */
	/* numbers of reports and changes before the slice */
	unsigned long reports;
	size_t changes;
	struct losses lost;
};

/* A record that changes mappings or names. */
struct change {
	const char *p;
	uint64_t at;
	const struct input *in;
	const struct event_attr *a;
};

struct round_slices {
	struct arena *arena;
	bool noting;         /* this pass notes the slices */
	bool skips;          /* this pass skips samples */
	bool packed;         /* there are compressed records, so scan_enter cannot seek */
	bool passed;         /* a round has ended, and its records are being delivered */
	uint64_t least;      /* minimum bytes, except for the first and last slice */
	struct place *place; /* place[n] is the end of all records */
	size_t n, cap;
	struct change *change;
	size_t nchanges, changes_cap;
	struct held_report {
		const struct input *in;
		uint64_t at;
		struct str text;
	} * held;
	size_t nheld, held_cap;
	uint64_t samples; /* number of samples read since round_slices_begin */
	uint64_t rounds;  /* rounds that have ended */
	uint64_t until;   /* number of rounds before the end of the current slice, or 0 */
	struct place round; /* the current round.  Only `at` and `input` are set */
	struct place next;  /* the start of a slice that follows the last ended round */
};

/* Moves to the first round, which begins at `at`.  Ends the noting of slices. */
void round_slices_rewind(struct round_slices *s, uint64_t at);

/* Begins the pass that notes slices.  at: offset of the first record. */
void round_slices_begin(struct round_slices *s, uint64_t least, bool skips, uint64_t at);

/*
 * Notes the end of a round.  newest: the newest time before this end.  in->at: offset of the next
 * record.
 */
void round_slices_round(struct round_slices *s, size_t input, const struct input *in,
                        uint64_t newest);

/*
 * Call this after the delivery of all records that the end of a round releases.  Returns true at
 * the end of the current slice.
 */
bool round_slices_pass(struct round_slices *s, unsigned long reports,
                       const struct losses *lost);

/* Notes the end of all records. */
void round_slices_end(struct round_slices *s, unsigned long reports,
                      const struct losses *lost);

/* Notes a record.  If the bytes of the record will change, set `copied` to keep a copy. */
void round_slices_change(struct round_slices *s, const struct change *c, uint64_t size,
                         bool copied);

void round_slices_hold(struct round_slices *s, const struct input *in, uint64_t at,
                       const char *text);

#endif
