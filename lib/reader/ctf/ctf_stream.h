/*
 * ctf_stream - runs workers that read CTF streams, with limits of time and memory.  Each worker is a
 * process.  Private to reader/ctf/.
 *
 * If a worker fails, its part of the stream is halved until the bad packet is found.  This packet
 * is skipped completely, because its good events cannot be identified.  All other packets are
 * read.
 */
#ifndef READER_CTF_CTF_STREAM_H
#define READER_CTF_CTF_STREAM_H

#include "base/hold.h"
#include "reader/ctf/ctf_intake.h"
#include "reader/ctf/ctf_worker.h"
#include "source/unpacked.h"

/* The job and the limits of a worker process. */
struct ctf_order {
	struct ctf_job job;
	uint64_t seconds; /* limit of processor time in seconds */
	uint64_t memory;  /* limit of memory in bytes */
	/* confines the worker process.  May be NULL */
	void (*enter)(const struct ctf_order *order);
};

/* The main function of a worker.  `order` is a struct ctf_order.  Returns the exit status. */
int ctf_stream_work(void *order);

/* For the keeper (base/keeper.h): converts a message of kind KEEPER_RUN to an order. */
struct ctf_order ctf_stream_order(const struct keeper_message *m, const char *directory,
                                  int fd);

struct ctf_streams {
	struct ctf_intake in; /* collects the frames.  in.source contains the streams */
	struct diag *diag;
	/* private */
	struct hold hold;
	struct unpacked files;
	uint32_t nworkers;
	bool stop; /* stop because a signal is pending or a disk is full */
};

/* If there is no directory for temporary files, reports this and returns -1. */
int ctf_stream_begin(struct ctf_streams *cs);

/*
 * Begins the trace with that metadata.  Later streams belong to this trace.  If the metadata is
 * unreadable, reports this and returns false.
 */
bool ctf_stream_begin_trace(struct ctf_streams *cs, size_t metadata);

void ctf_stream_read(struct ctf_streams *cs, size_t member);

/* Removes the temporary files.  Ends the program if a signal is pending. */
void ctf_stream_end(struct ctf_streams *cs);

#endif
