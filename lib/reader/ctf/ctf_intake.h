/*
 * ctf_intake - makes one nettrace of the frames that workers send (ctf_frame.h), and opens
 * it; private to reader/ctf/.
 *
 * Blocks are put behind each other with made_put as they are.  The reader of nettraces trusts
 * none of them, and so need not trust the workers.
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
	struct ctf_comm
	        *comm; /* programs of processes; a later one is in place of former ones */
	size_t ncomms, comms_cap;
	/* of the worker at hand, since ctf_intake_next */
	bool complete;  /* its stream was read to its end */
	bool bad;       /* nothing more is to be taken from it */
	int error;      /* errno of what could not be kept; 0 */
	struct str why; /* it says why it was not; lives as long as run */
};

/* To be called first.  -1: errno says why. */
int ctf_intake_begin(struct ctf_intake *in);

/* The frames that follow are of another worker. */
void ctf_intake_next(struct ctf_intake *in);

/* Takes the whole frames of bytes, and returns the rest of them. */
struct str ctf_intake_take(struct ctf_intake *in, struct str bytes);

/* A reader of what was taken, called name.  NULL: reported. */
struct reader *ctf_intake_open(struct ctf_intake *in, struct str name, struct diag *diag);

#endif
