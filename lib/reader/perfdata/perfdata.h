/*
 * perfdata - the reader of perf.data: what its two halves share.  scan.c looks at the
 * records as they stand in the file and puts them into the queue; perfdata.c decodes
 * what the queue lets go.  Private to reader/.
 */
#ifndef READER_PERFDATA_PERFDATA_H
#define READER_PERFDATA_PERFDATA_H

#include "reader/perfdata/counts.h"
#include "reader/perfdata/defer.h"
#include "reader/format.h"
#include "reader/perfdata/header.h"
#include "reader/perfdata/input.h"
#include "reader/perfdata/queue.h"
#include "reader/perfdata/unpack.h"

extern const struct format perfdata_format;

enum { MODULE_NAME = 256 };

/* A record that is several samples, one for each counter. */
struct reading {
	struct record record;
	const struct event_attr *a; /* NULL: there is none */
	const struct input *in;     /* which it is of, and where there */
	uint64_t at;
	size_t next;   /* counter */
	bool stitched; /* with room.later behind its frames */
};

/* What could not be read in this pass. */
struct losses {
	uint64_t bytes, records; /* records: whole, but contradicting themselves */
	uint64_t unknown;        /* records of types that nobody knows; not damage */
	uint64_t first;          /* where the first loss was, in the input so called */
	struct str name;
};

struct perfdata {
	struct reader base;
	struct header head;
	struct input *inputs;  /* the file, and those of perf record --threads */
	size_t ninputs, input; /* which is being read */
	struct queue queue;
	struct chunks chunks;
	struct unpack unpack;
	uint32_t copies; /* chunk that a pipe's records are copied to; 0: none yet */
	struct tracing *tracing; /* NULL until a tracepoint's name or text is wanted */
	const struct trace_names *names; /* or NULL */
	struct room room;
	struct counts counts;
	struct reading reading;
	struct defer defer;
	bool stitching; /* samples of this thread are delivered with room.later: */
	int32_t stitch_tid;
	uint64_t stitch_cookie;
	bool scanned; /* all records were looked at */
	bool cut;     /* the last one is not whole, and was unpacked as far as it goes */
	unsigned long reports, said; /* damage met in this pass, in the longest one */
	bool unknown_id;             /* a record of an unknown event was reported */
	struct losses lost;
	bool said_lost;
	char module[MODULE_NAME]; /* printed name of a kernel module just mapped */
};

/* A reader over a pipe capture; the stream is its own.  NULL: reported. */
struct reader *perfdata_over(struct stream *stream, struct arena *run, struct diag *diag);

/*
 * The next record is looked at.  As reader_next, but that 0 is to go on: either it
 * waits in the queue, or the input has ended and pd->scanned is set.
 */
int scan_next(struct perfdata *pd, struct event *ev);

/* Of name; damage that a former pass met as well is not said again.  Returns -1. */
int perfdata_report(struct perfdata *pd, struct str name, uint64_t at, const char *fmt,
                    ...) __attribute__((format(printf, 4, 5)));

/* Counts what cannot be read. */
void perfdata_lose(struct perfdata *pd, const struct input *in, uint64_t at,
                   uint64_t bytes, uint64_t records);

/* Decodes a record at byte `at` of in.  As reader_next, but that 0 is: nothing comes of it. */
int perfdata_deliver(struct perfdata *pd, const struct record *r,
                     const struct event_attr *a, const struct input *in, uint64_t at,
                     struct event *ev);

#endif
