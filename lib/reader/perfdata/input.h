/*
 * input - the bytes with the records of a perf.data: a mapping or a pipe.  Private to reader/.
 *
 * perf record --threads writes several files.  Each is an input with its own records and its own
 * compressed stream.
 */
#ifndef READER_PERFDATA_INPUT_H
#define READER_PERFDATA_INPUT_H

#include "source/source.h"
#include "source/stream.h"

struct input {
	struct str name;  /* for messages */
	struct str bytes; /* the mapped file, or empty for a pipe */
	/* the source that has mapped it as its member, or NULL for a pipe */
	const struct source *source;
	size_t member;
	uint64_t given;        /* bytes of it with released memory */
	struct stream *stream; /* the pipe, or NULL */
	uint64_t begin, end;   /* the place of the records.  end is ~0 for a pipe */
	uint64_t missing;      /* bytes of records that a cut-off file lacks */
	bool unsized;          /* the header gives no size: perf was killed */
	uint64_t at;           /* the next record */
	/* header of the last record: after damage, the search begins after it */
	uint64_t last;
};

/*
 * The bytes at `at`, which is not before in->last: at least min, or all up to the end.
 * Valid until the next call.
 */
struct str input_ahead(struct input *in, uint64_t at, size_t min);

/*
 * Moves to `at`, which may be beyond the bytes read so far, and drops earlier bytes. Returns
 * false if the pipe ends before `at`.
 */
bool input_go(struct input *in, uint64_t at);

/* The memory of the mapped bytes before `at` goes back: they will not be read soon. */
void input_give_back(struct input *in, uint64_t at);

/* Moves back to the first record, or in a pipe to the call of stream_hold. */
void input_rewind(struct input *in);

#endif
