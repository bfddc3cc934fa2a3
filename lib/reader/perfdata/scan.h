/*
 * scan - finds the records of a perf.data, and returns them in the order of delivery.
 *
 * Kernel records wait in a queue, which sorts them by time.  Records of perf itself are processed
 * when they are found.  perfdata.c decodes the records.
 */
#ifndef READER_PERFDATA_SCAN_H
#define READER_PERFDATA_SCAN_H

#include "reader/perfdata/header.h"
#include "reader/perfdata/input.h"
#include "reader/perfdata/time_order.h"
#include "reader/perfdata/record.h"
#include "reader/perfdata/round_slices.h"
#include "reader/perfdata/unpack.h"

/* A record for delivery.  Its bytes are valid until the next scan_next. */
struct scanned {
	struct record record;
	const struct event_attr *a;
	const struct input *in; /* the input with the record at offset `at` */
	uint64_t at;
	uint32_t chunk; /* the chunk with the record, or 0 for mapped bytes */
	bool waited;    /* the record was queued */
};

struct scan {
	struct arena *run;
	struct diag *diag;
	struct header *head;
	struct input *inputs;  /* the file and, for perf record --threads, its parts */
	size_t ninputs, input; /* `input` is the index of the current input */
	struct time_order queue;
	struct chunks chunks;
	struct unpack unpack;
	uint32_t copies; /* the chunk for copies of records from a pipe, or 0 */
	uint32_t taken;  /* chunk of the last delivered record */
	bool as_written; /* deliver records in file order */
	bool ended;      /* all records were found */
	/* the last compressed record is truncated, and its existing part was decompressed */
	bool cut;
	/* number of reports in this pass, and maximum over all passes */
	unsigned long reports, said;
	struct losses lost;
	struct round_slices rounds;
};

void scan_init(struct scan *sc, struct header *head, struct arena *run,
               struct diag *diag);

/*
 * Reads the header of sc->inputs[0].  The caller has set its bytes or its stream.  Adds the parts
 * of perf record --threads from s, which may be NULL.  If the header is unreadable, reports this
 * and returns -1.
 */
int scan_open(struct scan *sc, struct source *s);

/* Moves back to the first record. */
void scan_rewind(struct scan *sc);

void scan_close(struct scan *sc);

enum { SCAN_DAMAGE = -1, SCAN_END, SCAN_RECORD, SCAN_ROUND };

/*
 * Returns the next record in *out.  After SCAN_ROUND, out->at is the end of a round.  SCAN_DAMAGE
 * means that damage was reported, and that the caller can continue.
 */
int scan_next(struct scan *sc, struct scanned *out);

/*
 * Moves to a slice, which must not precede the current position.  scan_next returns SCAN_END at
 * the start of slice `end`.
 */
void scan_enter(struct scan *sc, size_t slice, size_t end);

/*
 * Prints the held reports about records before a slice.  Reports about later records are made
 * again when the slices are read.
 */
void scan_tell(struct scan *sc, size_t slice);

/* Reports damage in an input, unless an earlier pass reported it.  Returns SCAN_DAMAGE. */
int scan_report(struct scan *sc, const struct input *in, uint64_t at, const char *fmt,
                ...) __attribute__((format(printf, 4, 5)));

/* Adds to the counts of unreadable bytes and records. */
void scan_lose(struct scan *sc, const struct input *in, uint64_t at, uint64_t bytes,
               uint64_t records);

/* Reports lost and skipped records.  Call it at the end.  Later calls print nothing. */
void scan_report_losses(struct scan *sc);

#endif
