/*
 * ask - names of JIT code that a running runtime gives on request.
 *
 *	ask_before, the recording, ask_after, ask_close
 *
 * .NET 8 and later switches its perf map on and off through its diagnostic socket.  Earlier versions, and
 * all if source lines are wanted, write a trace with a rundown after the recording.  HotSpot of Java 17
 * and later writes a map of the code that it has at the moment, so it is asked after the recording.
 *
 * Each request and its answer is reported.  A file that a runtime has written for a request is
 * copied, and then removed in its file system, unless it was there before.  The caller holds
 * signals back (base/hold.h) from ask_before to ask_after, so that every change is taken back.
 */
#ifndef COLLECT_ASK_H
#define COLLECT_ASK_H

#include "base/diag.h"
#include "collect/target.h"

enum { ASK_MAPS = 2, ASK_FILES = 3 };

/* A copy of a file that the process had. */
struct ask_file {
	struct str path; /* as the process sees it; a trace is not a file there */
	int fd;          /* a work file */
	struct opener_file got;
};

struct ask {
	struct target *target;
	struct diag
	        *diag; /* gets a report of damage for each request without an answer */
	struct arena *run;
	int work;       /* a file for one answer at a time */
	uint64_t limit; /* bytes of a file */
	bool lines;     /* source lines are wanted, too */
	/* results */
	struct ask_file file[ASK_FILES];
	size_t n;
	bool failed; /* reported, with the advice of runtime.h */
	/* private */
	struct str socket, answer;
	bool on;               /* the perf map may be on */
	bool trace;            /* a trace is requested after the recording */
	bool before[ASK_MAPS]; /* files that were there before the request */
};

/* True if ask_before or ask_after has a request for this process. */
bool ask_applies(const struct ask *q);

void ask_before(struct ask *q);

void ask_after(struct ask *q);

/* Closes the copies. */
void ask_close(struct ask *q);

#endif
