/*
 * input - the bytes that hold the records of a perf.data: a mapping or a pipe; private to
 * reader/.
 *
 * perf record --threads writes several files.  Each is an input with its own records and
 * its own stream of compressed ones.
 */
#ifndef READER_PERFDATA_INPUT_H
#define READER_PERFDATA_INPUT_H

#include "source/source.h"
#include "source/stream.h"

struct input {
	struct str name;       /* for messages */
	struct str bytes;      /* the mapped file; empty for a pipe */
	const struct source *source; /* which has mapped it as its member; NULL for a pipe */
	size_t member;
	uint64_t given; /* bytes of it whose memory was given back */
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

/* The memory of the mapped bytes before `at` goes back: they will not be read soon. */
void input_give_back(struct input *in, uint64_t at);

/* Back to the first record; of a pipe, to where stream_hold was called. */
void input_rewind(struct input *in);

#endif
