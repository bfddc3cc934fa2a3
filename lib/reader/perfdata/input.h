/*
 * input - the bytes that hold the records of a perf.data: a mapping or a pipe; private to
 * reader/.
 *
 * perf record --threads writes several files.  Each is an input with its own records and
 * its own stream of compressed ones.
 */
#ifndef READER_PERFDATA_INPUT_H
#define READER_PERFDATA_INPUT_H

#include "source/stream.h"

struct input {
	struct str name;       /* for messages */
	struct str bytes;      /* the mapped file; empty for a pipe */
	struct stream *stream; /* the pipe; else NULL */
	uint64_t begin, end;   /* where the records are; end is ~0 for a pipe */
	uint64_t missing;      /* bytes of records that a cut-off file lacks */
	bool unsized;          /* the header gives no size: perf was killed */
	uint64_t at;           /* the next record */
	uint64_t
	        last; /* header of the last record: after damage the search begins behind it */
};

/*
 * The bytes at `at`, which is not before in->last: at least min, or all up to the end.
 * Valid until the next call.
 */
struct str input_ahead(struct input *in, uint64_t at, size_t min);

/*
 * Moves to `at`, which may be ahead of what was looked at; earlier bytes are dropped.
 * False: the pipe ends before `at`.
 */
bool input_go(struct input *in, uint64_t at);

/* Back to the first record; of a pipe, to where stream_hold was called. */
void input_rewind(struct input *in);

#endif
