/*
 * recording - runs perf to record the processes, and to print its own view of the recording.
 */
#ifndef COLLECT_RECORDING_H
#define COLLECT_RECORDING_H

#include "base/arena.h"
#include "base/hold.h"

struct recording {
	const char *perf; /* the program */
	const char *pids; /* separated by commas */
	const char *seconds;
	const char *rate, *graph; /* -F and --call-graph */
	/* options of perf record, ended by NULL; if set, rate and graph are not used */
	char *const *options;
	int data; /* a work file that becomes perf.data */
	int log;  /* a work file for the messages */
	/* held signals, each of which ends perf record early, or NULL */
	const struct hold *hold;
};

enum recording_end {
	RECORDING_DONE,
	/* perf did not end in time and was killed; the data may be incomplete */
	RECORDING_LATE,
	RECORDING_STOPPED, /* a held signal ended it early */
	RECORDING_FAILED,  /* log contains the reasons */
	RECORDING_NO_PERF, /* there is no such program */
};

enum recording_end recording_run(const struct recording *r, struct arena *a);

/*
 * Writes the output of perf script for the data to the file `to`, at most `most` bytes.  perf
 * looks for the recorded files below the directory root, or in this process's root directory if
 * root is -1.  perf parses those files, so it runs without any rights that could harm
 * (rights_drop).
 */
enum recording_end recording_print(const struct recording *r, int root, int to,
                                   uint64_t most);

#endif
