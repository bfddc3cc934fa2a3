/*
 * input - the bytes that contain the records of a perf.data: a mapped file or a pipe.  Private to
 * reader/.
 *
 * perf record --threads writes several files.  Each file is an input with its own records and its
 * own compressed stream.
 */
#ifndef READER_PERFDATA_INPUT_H
#define READER_PERFDATA_INPUT_H

#include "source/source.h"
#include "source/stream.h"

struct input {
	struct str name;  /* for messages */
	struct str bytes; /* the mapped file, or empty for a pipe */
	/* The source of the mapped file, which is its member `member`, or NULL for a pipe. */
	const struct source *source;
	size_t member;
	uint64_t given; /* bytes at the front of the mapping whose memory was released */
	struct stream *stream; /* the pipe, or NULL */
	uint64_t begin, end;   /* offsets of the records.  end is ~0 for a pipe */
	uint64_t missing;      /* bytes of records that a cut-off file lacks */
	bool unsized; /* the header does not state the size, because perf was killed */
	uint64_t at;  /* offset of the next record */
	/*
	 * Offset of the last record.  After damage, the search begins after the header of this
	 * record.
	 */
	uint64_t last;
};

/*
 * Returns the bytes at `at`: at least `min`, or all bytes up to the end.  `at` must not be less
 * than in->last.  The result is valid until the next call.
 */
struct str input_ahead(struct input *in, uint64_t at, size_t min);

/*
 * Moves to `at`, which may be beyond the bytes read so far, and drops earlier bytes. Returns
 * false if the pipe ends before `at`.
 */
bool input_go(struct input *in, uint64_t at);

/* Releases the memory of the mapped bytes before `at`, because they will not be read soon. */
void input_give_back(struct input *in, uint64_t at);

/*
 * Moves back to the first record of a file, or to the place in a pipe at which stream_hold was
 * called.
 */
void input_rewind(struct input *in);

#endif
