/*
 * ask - names of JIT code that a running runtime gives on request.
 *
 *	ask_before, the recording, ask_after, use of the files, ask_close
 *
 * .NET 8 and later switches its perf map on and off through its diagnostic socket.
 * Earlier versions write a trace with a rundown after the recording, as do all versions
 * if source lines are wanted.  HotSpot of Java 17 and later writes a map of the code that
 * it has at the moment, so it is asked after the recording.
 *
 * Each request and its answer is reported.  A file that a runtime has written for a
 * request is copied, and then removed in its file system, unless it was there before.
 * The caller holds signals back (base/hold.h) from ask_before to ask_after, so that every
 * change is undone.
 */
#ifndef COLLECT_ASK_H
#define COLLECT_ASK_H

#include "base/diag.h"
#include "collect/target.h"

enum { ASK_MAPS = 2, ASK_FILES = 3 };

/* A copy of a file that the process wrote. */
struct ask_file {
	/* path in the root of the process.  A trace has an invented path */
	struct str path;
	int fd; /* a work file */
	struct opener_file got;
};

struct ask {
	struct target *target;
	/* receives a report for each request without an answer */
	struct diag *diag;
	struct arena *run;
	int work;       /* work file for one answer at a time */
	uint64_t limit; /* bytes of a file, at most */
	bool lines;     /* source lines are wanted, too */
	/* results */
	struct ask_file file[ASK_FILES];
	size_t n;
	bool failed; /* a request failed, as reported with the advice of runtime.h */
	/* private */
	struct str socket, answer;
	bool on;               /* the perf map may be on */
	bool trace;            /* a trace is requested after the recording */
	bool before[ASK_MAPS]; /* which of the maps existed before the request */
};

/* Returns true if ask_before or ask_after has a request for this process. */
bool ask_applies(const struct ask *q);

void ask_before(struct ask *q);

void ask_after(struct ask *q);

/* Closes the copies. */
void ask_close(struct ask *q);

#endif
