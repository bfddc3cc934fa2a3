/*
 * input - where the records of a perf.data stand: mapped bytes, or what comes
 * through a pipe; private to reader/.
 *
 * perf record --threads writes several files: each is an input, and is one run of
 * records with its own stream of compressed ones.
 */
#ifndef READER_PERFDATA_INPUT_H
#define READER_PERFDATA_INPUT_H

#include "source/stream.h"

struct input {
	struct str name;       /* for messages */
	struct str bytes;      /* all of it; of a pipe: empty */
	struct stream *stream; /* of a pipe; else NULL */
	uint64_t begin, end;   /* the records; of a pipe, end is not known: ~0 */
	uint64_t missing;      /* bytes of records behind the end of the file */
	bool unsized;          /* how many there are is not said: perf was killed */
	uint64_t at;           /* the next record */
	uint64_t last;         /* from behind this header on, records are looked for */
};

/*
 * What stands at `at`, which is not before in->last: at least min bytes, or all up to
 * the end.  Valid until the next call.
 */
struct str input_ahead(struct input *in, uint64_t at, size_t min);

/*
 * Goes on to `at`, which may be behind what was looked at; what lies before is gone.
 * False: a pipe ends before that.
 */
bool input_go(struct input *in, uint64_t at);

/* Back to the first record; of a pipe, to where stream_hold was called. */
void input_rewind(struct input *in);

#endif
