/*
 * ask - requests the names of JIT code from a running runtime.
 *
 * 	ask_before, the recording, ask_after, use of the files, ask_close
 *
 * .NET 8 and later can switch its perf map on and off through its diagnostic socket.  Earlier
 * versions send a trace with a rundown after the recording.  If source lines are wanted, all
 * versions send this trace.  HotSpot of Java 17 and later writes a map of its current code, so it
 * receives a request after the recording.
 *
 * Each request and its answer is reported.  A file that a runtime has written for a request is
 * copied, and then removed from the file system of the runtime, unless it existed before.  The
 * caller delays signals (base/hold.h) from ask_before to ask_after, so that all changes are
 * undone.
 */
#ifndef COLLECT_ASK_H
#define COLLECT_ASK_H

#include "base/diag.h"
#include "collect/target.h"

enum { ASK_MAPS = 2, ASK_FILES = 3 };

/* A copy of a file that the process wrote on request. */
struct ask_file {
	/* path in the root directory of the process.  For a trace, an invented path */
	struct str path;
	int fd; /* a work file */
	struct opener_file got;
};

struct ask {
	struct target *target;
	/* receives a report for each failed request */
	struct diag *diag;
	struct arena *run;
	int work;       /* temporary file for one answer at a time */
	uint64_t limit; /* limit of a file in bytes */
	bool lines;     /* source lines are also wanted */
	/* results */
	struct ask_file file[ASK_FILES];
	size_t n;
	/* a request failed, and the report contained runtime_advice */
	bool failed;
	/* private */
	struct str socket, answer;
	bool on;               /* the runtime possibly writes a perf map */
	bool trace;            /* request a trace after the recording */
	bool before[ASK_MAPS]; /* true for each map that existed before the request */
};

/* Returns true if ask_before or ask_after would make a request to this process. */
bool ask_applies(const struct ask *q);

void ask_before(struct ask *q);

void ask_after(struct ask *q);

/* Closes the copied files. */
void ask_close(struct ask *q);

#endif
