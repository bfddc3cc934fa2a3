/*
 * ctf_intake - makes one nettrace from the frames of workers (ctf_frame.h), and opens it.
 * Private to reader/ctf/.
 *
 * Blocks are appended unchanged with made_put.  The reader of nettraces does not trust its input,
 * so the workers need not be trusted.
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
	struct arena *run; /* holds the names */
	/* Names of processes.  A later name replaces an earlier one. */
	struct ctf_comm *comm;
	size_t ncomms, comms_cap;
	/* The next fields are about the current worker.  ctf_intake_next resets them. */
	bool complete; /* the worker read its stream to the end */
	bool bad;      /* a frame was invalid, and later ones are not used */
	int error;     /* errno if frames could not be stored, or 0 */
	/* The worker's reason if its stream is incomplete.  Lives as long as `run`. */
	struct str why;
};

/* Must be called first.  Returns -1 with errno set. */
int ctf_intake_begin(struct ctf_intake *in);

/* Begins with the frames of another worker. */
void ctf_intake_next(struct ctf_intake *in);

/* Uses the complete frames in `bytes`, and returns the rest. */
struct str ctf_intake_take(struct ctf_intake *in, struct str bytes);

/* Returns a reader of the frames, called `name`, or NULL after a report. */
struct reader *ctf_intake_open(struct ctf_intake *in, struct str name, struct diag *diag);

#endif
