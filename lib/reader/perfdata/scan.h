/*
 * scan - finds the records of a perf.data, and returns them in the order of delivery.
 *
 * Records of the kernel wait in a queue until it is their time.  Records of perf itself are used
 * when they are found.  perfdata.c decodes the records.
 */
#ifndef READER_PERFDATA_SCAN_H
#define READER_PERFDATA_SCAN_H

#include "reader/perfdata/header.h"
#include "reader/perfdata/input.h"
#include "reader/perfdata/queue.h"
#include "reader/perfdata/record.h"
#include "reader/perfdata/unpack.h"

/* A record to be delivered.  Its bytes are valid until the next scan_next. */
struct scanned {
	struct record record;
	const struct event_attr *a;
	const struct input *in; /* the input that contains the record at offset `at` */
	uint64_t at;
	uint32_t chunk; /* the chunk that contains the record, or 0 for mapped bytes */
	bool waited;    /* the record was queued */
};

/* Counts of unreadable bytes and records in this pass. */
struct losses {
	/* number of damaged bytes, and of complete records with inconsistent contents */
	uint64_t bytes, records;
	uint64_t unknown; /* records of unknown types, which are not damage */
	uint64_t first;   /* offset of the first loss, in the input called `name` */
	struct str name;
	bool said;
};

struct scan {
	struct arena *run;
	struct diag *diag;
	struct header *head;
	struct input *inputs;  /* the file, and the files of perf record --threads */
	size_t ninputs, input; /* `input` is the index of the current input */
	struct queue queue;
	struct chunks chunks;
	struct unpack unpack;
	uint32_t copies; /* the chunk for copies of a pipe's records, or 0 */
	uint32_t taken;  /* chunk of the last delivered record */
	bool as_written; /* records are delivered in the order of the file */
	bool ended;      /* all records were found */
	bool cut; /* the last compressed record is cut off, and its part was unpacked */
	bool unknown_id; /* a record of an unknown event was reported */
	/* reports of this pass, and the highest `reports` of all passes */
	unsigned long reports, said;
	struct losses lost;
};

void scan_init(struct scan *sc, struct header *head, struct arena *run,
               struct diag *diag);

/*
 * Reads the header of sc->inputs[0], whose bytes or stream the caller has set.  Adds the parts of
 * perf record --threads from s, which may be NULL.  Returns -1 after a report if the header is
 * unreadable.
 */
int scan_open(struct scan *sc, struct source *s);

/* Moves back to the first record. */
void scan_rewind(struct scan *sc);

void scan_close(struct scan *sc);

enum { SCAN_DAMAGE = -1, SCAN_END, SCAN_RECORD, SCAN_ROUND };

/*
 * Returns the next record in *out.  After SCAN_ROUND, out->at is the end of a round.  SCAN_DAMAGE
 * was reported, and scan_next can be called again.
 */
int scan_next(struct scan *sc, struct scanned *out);

/* scan_hold keeps the bytes of r valid until scan_release. */
void scan_hold(struct scan *sc, const struct scanned *r);
void scan_release(struct scan *sc, const struct scanned *r);

/* Reports damage in an input if no earlier pass reported it.  Returns SCAN_DAMAGE. */
int scan_report(struct scan *sc, const struct input *in, uint64_t at, const char *fmt,
                ...) __attribute__((format(printf, 4, 5)));

/* Adds unreadable bytes and records to the losses. */
void scan_lose(struct scan *sc, const struct input *in, uint64_t at, uint64_t bytes,
               uint64_t records);

/* Reports lost and skipped records.  Call it at the end.  Only the first call prints. */
void scan_report_losses(struct scan *sc);

#endif
