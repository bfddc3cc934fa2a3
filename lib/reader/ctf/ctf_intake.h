/*
 * ctf_intake - makes one nettrace from the frames of workers (ctf_frame.h), and opens it.
 * Private to reader/ctf/.
 *
 * Blocks are appended unchanged with made_put.  The reader of nettraces does not trust them, so
 * the workers need not be trusted either.
 */
#ifndef READER_CTF_CTF_INTAKE_H
#define READER_CTF_CTF_INTAKE_H

#include "reader/format.h"

struct ctf_comm {
	int32_t pid;
	struct str name;
};

struct ctf_intake {
	struct source *source;
	struct arena *run; /* names live here */
	/* programs of processes.  A later one replaces earlier ones */
	struct ctf_comm *comm;
	size_t ncomms, comms_cap;
	/* of the worker at hand, since ctf_intake_next */
	bool complete; /* its stream was read to its end */
	bool bad;      /* the rest is not used */
	int error;     /* errno of bytes that could not be kept, or 0 */
	/* the worker's reason for an incomplete stream.  Lives as long as run */
	struct str why;
};

/* Call it first.  Returns -1 with errno set. */
int ctf_intake_begin(struct ctf_intake *in);

/* The frames that follow are of another worker. */
void ctf_intake_next(struct ctf_intake *in);

/* Uses the whole frames in bytes, and returns the rest. */
struct str ctf_intake_take(struct ctf_intake *in, struct str bytes);

/* Returns a reader with that name for the frames, or NULL after a report. */
struct reader *ctf_intake_open(struct ctf_intake *in, struct str name, struct diag *diag);

#endif
