/* recording - runs perf to record processes, and to print the recording with perf's own names. */
#ifndef COLLECT_RECORDING_H
#define COLLECT_RECORDING_H

#include "base/arena.h"
#include "base/hold.h"

struct recording {
	const char *perf; /* the program */
	const char *pids; /* separated by commas */
	const char *seconds;
	const char *rate, *graph; /* -F and --call-graph */
	/* options of perf record, with NULL at the end.  If set, they replace rate and graph */
	char *const *options;
	int data; /* a temporary file that becomes perf.data */
	int log;  /* a temporary file for messages */
	/* delayed signals, which end perf record early, or NULL */
	const struct hold *hold;
};

enum recording_end {
	RECORDING_DONE,
	/* perf did not end in time and was killed, so data may be incomplete */
	RECORDING_LATE,
	RECORDING_STOPPED, /* a delayed signal ended the recording early */
	RECORDING_FAILED,  /* log contains the reason */
	RECORDING_NO_PERF, /* the program perf was not found */
};

enum recording_end recording_run(const struct recording *r, struct arena *a);

/*
 * Writes the output of perf script to the file `to`, at most `most` bytes.  perf searches for the
 * recorded files in the directory root or, if root is -1, in this process's root directory.  perf
 * parses these files, so it runs without dangerous rights (rights_drop).
 */
enum recording_end recording_print(const struct recording *r, int root, int to,
                                   uint64_t most);

#endif
