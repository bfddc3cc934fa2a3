/*
 * ctf_stream - lets workers read streams of CTF, each in its own process.  Private to
 * reader/ctf/.
 *
 * If a worker fails, its stream is halved until the bad packet is found.  It is skipped, because
 * the good events in it cannot be identified, and all other packets are read.
 */
#ifndef READER_CTF_CTF_STREAM_H
#define READER_CTF_CTF_STREAM_H

#include "base/hold.h"
#include "reader/ctf/ctf_intake.h"
#include "reader/ctf/ctf_worker.h"
#include "source/unpacked.h"

/* The job of a worker, in a process of its own. */
struct ctf_order {
	struct ctf_job job;
	uint64_t seconds; /* of the processor */
	uint64_t memory;  /* bytes */
	/* confines the worker, or NULL */
	void (*enter)(const struct ctf_order *order);
};

/* order is a struct ctf_order.  The status for exit. */
int ctf_stream_work(void *order);

/* The order that a message of kind KEEPER_RUN holds, for the keeper. */
struct ctf_order ctf_stream_order(const struct keeper_message *m, const char *directory,
                                  int fd);

struct ctf_streams {
	struct ctf_intake in; /* of the source with these members */
	struct diag *diag;
	/* private */
	struct hold hold;
	struct unpacked files;
	uint32_t nworkers;
	bool stop; /* a signal waits, or there is no room */
};

/* Returns -1 after a report if there is no directory for the files. */
int ctf_stream_begin(struct ctf_streams *cs);

/*
 * The next streams belong to the trace with that metadata.  Returns false, after a report, if it
 * cannot be read.
 */
bool ctf_stream_begin_trace(struct ctf_streams *cs, size_t metadata);

void ctf_stream_read(struct ctf_streams *cs, size_t member);

/* Removes the files.  A signal that has waited ends the program here. */
void ctf_stream_end(struct ctf_streams *cs);

#endif
