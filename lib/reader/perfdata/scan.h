/*
 * scan - the records of a perf.data, one after the other in the order of delivery.
 *
 * Records of the kernel wait in a queue for their time.  Records of perf itself act in place.
 * Records are not decoded here, but in perfdata.c.
 */
#ifndef READER_PERFDATA_SCAN_H
#define READER_PERFDATA_SCAN_H

#include "reader/perfdata/header.h"
#include "reader/perfdata/input.h"
#include "reader/perfdata/queue.h"
#include "reader/perfdata/record.h"
#include "reader/perfdata/unpack.h"

/* A record to be delivered.  Its bytes stay until the next scan_next. */
struct scanned {
	struct record record;
	const struct event_attr *a;
	const struct input *in; /* its input, and its place there */
	uint64_t at;
	uint32_t chunk; /* owner of its bytes, or 0 for the input */
	bool waited;    /* it comes out of the queue */
};

/* Counts of unreadable bytes and records in this pass. */
struct losses {
	uint64_t bytes, records; /* records: complete ones with inconsistent contents */
	uint64_t unknown;        /* records of unknown types, which are not damage */
	uint64_t first;          /* place of the first loss, in the input of that name */
	struct str name;
	bool said;
};

struct scan {
	struct arena *run;
	struct diag *diag;
	struct header *head;
	struct input *inputs;  /* the file, and the files of perf record --threads */
	size_t ninputs, input; /* which is being read */
	struct queue queue;
	struct chunks chunks;
	struct unpack unpack;
	uint32_t copies; /* the chunk for copies of a pipe's records, or 0 */
	uint32_t taken;  /* chunk of the record delivered last */
	bool as_written; /* records do not wait in the queue */
	bool ended;      /* all records were looked at */
	bool cut; /* the last one is not whole, and was unpacked as far as it goes */
	bool unknown_id; /* a record of an unknown event was reported */
	unsigned long reports,
	        said; /* reports counted in this pass, and in the longest pass */
	struct losses lost;
};

void scan_init(struct scan *sc, struct header *head, struct arena *run,
               struct diag *diag);

/*
 * sc->inputs[0] has its bytes or its stream.  Reads the header, and takes in the files
 * beside it in s, which may be NULL.  -1: unreadable, reported.
 */
int scan_open(struct scan *sc, struct source *s);

/* Back to the first record. */
void scan_rewind(struct scan *sc);

void scan_close(struct scan *sc);

enum { SCAN_DAMAGE = -1, SCAN_END, SCAN_RECORD, SCAN_ROUND };

/* SCAN_ROUND: out->at is the end of a round.  SCAN_DAMAGE: after a report.  Call it again. */
int scan_next(struct scan *sc, struct scanned *out);

/* The bytes of r stay until it is released. */
void scan_hold(struct scan *sc, const struct scanned *r);
void scan_release(struct scan *sc, const struct scanned *r);

/* Reports damage in an input, unless a former pass did.  Returns SCAN_DAMAGE. */
int scan_report(struct scan *sc, const struct input *in, uint64_t at, const char *fmt,
                ...) __attribute__((format(printf, 4, 5)));

/* Counts unreadable bytes and records. */
void scan_lose(struct scan *sc, const struct input *in, uint64_t at, uint64_t bytes,
               uint64_t records);

/* Reports once, at the end, lost and skipped records. */
void scan_report_losses(struct scan *sc);

#endif
