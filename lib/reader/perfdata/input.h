/*
 * input - the bytes with the records of a perf.data, from a mapped file or a pipe.  Private to
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
	/* The source that contains the file as its member `member`, or NULL for a pipe. */
	const struct source *source;
	size_t member;
	/* the memory before this offset was released */
	uint64_t given;
	uint64_t expected, expected_end; /* offsets of the bytes that are prepared */
	struct stream *stream;           /* the pipe, or NULL */
	/* offsets of the first and the last record.  For a pipe, end is ~0 */
	uint64_t begin, end;
	uint64_t missing; /* number of record bytes that a truncated file lacks */
	bool unsized;     /* the header has no size, because perf was killed */
	uint64_t at;      /* offset of the next record */
	/*
	 * Offset of the last record.  After damage, the search starts after the header of
	 * this record.
	 */
	uint64_t last;
};

/*
 * Returns at least `min` bytes at `at`, or all bytes up to the end.  `at` must not be less than
 * in->last.  The result is valid until the next call.
 */
struct str input_ahead(struct input *in, uint64_t at, size_t min);

/* Prepares mapped bytes at `at`, which are read soon.  Returns the offset of their end. */
uint64_t input_expect(struct input *in, uint64_t at);

/*
 * Moves to `at`, and drops earlier bytes.  `at` may be beyond the bytes read so far.  Returns
 * false if the pipe ends before `at`.
 */
bool input_go(struct input *in, uint64_t at);

/*
 * input_give_back releases the memory of the mapped bytes before `at`, because they will not be
 * needed soon.  input_use_again: bytes from `at` on are used again, so the next input_give_back
 * also releases them.
 */
void input_give_back(struct input *in, uint64_t at);
void input_use_again(struct input *in, uint64_t at);

/*
 * Moves back to the first record of a file, or to the position in a pipe at which stream_hold was
 * called.
 */
void input_rewind(struct input *in);

#endif
