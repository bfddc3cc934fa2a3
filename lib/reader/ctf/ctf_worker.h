/*
 * ctf_worker - reads one CTF stream using libbabeltrace2, and sends its events.  Private to
 * reader/ctf/.
 *
 * This code must run in a separate process, because the library may crash, or may never return.
 */
#ifndef READER_CTF_CTF_WORKER_H
#define READER_CTF_CTF_WORKER_H

#include <stdbool.h>
#include <stdint.h>

struct ctf_job {
	/* contains the file "metadata" and the file of the stream */
	const char *directory;
	int fd;          /* the pipe for frames */
	uint32_t first;  /* the first unused number for kinds of events and for threads */
	uint64_t writer; /* number of the stream */
	bool lost;       /* events that precede this part of the stream were lost */
};

/* Loads the library now, because a confined process cannot load it later. */
void ctf_worker_load(void);

/* Reads the stream.  `job` is a struct ctf_job.  Returns 0 if the stream was read completely. */
int ctf_worker_run(void *job);

#endif
