/*
 * ctf_stream - lets workers read streams of CTF.  Each worker is a process.  Private to
 * reader/ctf/.
 *
 * If a worker fails, its part of the stream is halved until the bad packet is found.  The bad
 * packet is skipped, because its good events cannot be identified.  All other packets are read.
 */
#ifndef READER_CTF_CTF_STREAM_H
#define READER_CTF_CTF_STREAM_H

#include "base/hold.h"
#include "reader/ctf/ctf_intake.h"
#include "reader/ctf/ctf_worker.h"
#include "source/unpacked.h"

/* The job of a worker process, with its limits. */
struct ctf_order {
	struct ctf_job job;
	uint64_t seconds; /* limit of processor time */
	uint64_t memory;  /* limit of memory in bytes */
	/* Confines the worker process.  May be NULL. */
	void (*enter)(const struct ctf_order *order);
};

/* Runs a worker.  `order` is a struct ctf_order.  Returns the status for exit. */
int ctf_stream_work(void *order);

/* Returns the order in a message of kind KEEPER_RUN.  The keeper uses it. */
struct ctf_order ctf_stream_order(const struct keeper_message *m, const char *directory,
                                  int fd);

struct ctf_streams {
	struct ctf_intake in; /* collects the frames.  Its source has the streams */
	struct diag *diag;
	/* private */
	struct hold hold;
	struct unpacked files;
	uint32_t nworkers;
	bool stop; /* a signal is pending, or there is no room */
};

/* Returns -1 after a report if there is no directory for temporary files. */
int ctf_stream_begin(struct ctf_streams *cs);

/*
 * Begins the trace with that metadata, to which the next streams belong.  Returns false after a
 * report if the metadata cannot be read.
 */
bool ctf_stream_begin_trace(struct ctf_streams *cs, size_t metadata);

void ctf_stream_read(struct ctf_streams *cs, size_t member);

/* Removes the temporary files.  If a signal is pending, it ends the program here. */
void ctf_stream_end(struct ctf_streams *cs);

#endif
