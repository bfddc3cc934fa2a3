/*
 * ctf_intake - assembles a nettrace from the frames of workers (ctf_frame.h), and opens it.
 * Private to reader/ctf/.
 *
 * Blocks are stored unchanged (source/made.h).  The workers need not be trusted, because the
 * reader of nettraces checks its input.
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
	struct arena *run; /* memory for names */
	/* Names of processes.  Later names replace earlier ones. */
	struct ctf_comm *comm;
	size_t ncomms, comms_cap;
	/* State of the current worker, which ctf_intake_next resets. */
	bool complete; /* the worker read its stream completely */
	bool bad;      /* a frame was invalid.  Later frames are ignored */
	int error;     /* errno of an error while frames were stored, or 0 */
	/* The reason that the worker gave for an incomplete stream.  It lives as long as `run`. */
	struct str why;
};

/* Initializes `in`.  Returns -1 with errno set after an error. */
int ctf_intake_begin(struct ctf_intake *in);

/* Prepares for the frames of the next worker. */
void ctf_intake_next(struct ctf_intake *in);

/* Processes the complete frames in `bytes`, and returns the remaining bytes. */
struct str ctf_intake_take(struct ctf_intake *in, struct str bytes);

/*
 * Returns a reader of the frames.  name: name of the reader.  After an error, reports it and
 * returns NULL.
 */
struct reader *ctf_intake_open(struct ctf_intake *in, struct str name, struct diag *diag);

#endif
