/*
 * ctf_worker - reads one CTF stream by libbabeltrace2 and sends its events.  Private to
 * reader/ctf/.
 *
 * It must run in its own process, because the library may crash, or never return.
 */
#ifndef READER_CTF_CTF_WORKER_H
#define READER_CTF_CTF_WORKER_H

#include <stdbool.h>
#include <stdint.h>

struct ctf_job {
	const char *directory; /* contains the file metadata and the file of the stream */
	int fd;                /* the pipe that frames go to */
	uint32_t first;  /* number of its first kind of event, and of its first thread */
	uint64_t writer; /* number of the stream */
	bool lost;       /* events in front of it were */
};

/* Loads the library, for a process that cannot do that later. */
void ctf_worker_load(void);

/* job is a struct ctf_job.  Returns 0 if the stream was read to its end. */
int ctf_worker_run(void *job);

#endif
