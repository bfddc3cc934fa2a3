/*
 * opener_talk - the child of the opener at a socket of the recorded process.
 *
 * Before a byte is sent, the kernel must name the process as the one that listens, and the process
 * must live.  A listener that is silent or slow is given up after OPENER_TALK_MS.
 */
#ifndef COLLECT_OPENER_TALK_H
#define COLLECT_OPENER_TALK_H

#include "collect/opener.h"

struct opener_talk {
	int socket;
	uint64_t end;  /* monotonic ms */
	uint64_t most; /* the last moment of a trace, or 0 */
};

/*
 * Connects to the socket that the O_PATH descriptor `at` holds.  fds is the directory /proc/self/fd,
 * and root the working directory afterwards.  -1: errno.
 */
int opener_talk_connect(int fds, int root, int at);

/* Sends the message of the request to the socket.  process is the directory /proc/PID. */
enum opener_end opener_talk_begin(struct opener_talk *t,
                                  const struct opener_request *what, int process,
                                  int socket);

/* Sends a signal to the process.  -1: errno. */
int opener_talk_signal(int process, int signal);

/* From here on each part of the answer has OPENER_TALK_MS, and all have OPENER_TRACE_MS. */
void opener_talk_extend(struct opener_talk *t);

/* Returns the number of bytes, 0 at the end, or -1: errno, ETIMEDOUT if it took too long. */
ssize_t opener_talk_read(struct opener_talk *t, char *to, size_t n);

#endif
