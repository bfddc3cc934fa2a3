/*
 * opener_talk - the communication of the opener's child with a socket of the recorded process.
 *
 * The child sends bytes only if the kernel reports that the process is alive and is listening at
 * the socket.  If the answer takes longer than OPENER_TALK_MS, the child stops waiting.
 */
#ifndef COLLECT_OPENER_TALK_H
#define COLLECT_OPENER_TALK_H

#include "collect/opener.h"

struct opener_talk {
	int socket;
	uint64_t end;  /* deadline in ms of the monotonic clock */
	uint64_t most; /* latest deadline of a trace, or 0 */
};

/*
 * Connects to the socket of the O_PATH descriptor `at`.  fds is the directory /proc/self/fd.
 * root becomes the working directory.  Returns -1 with errno set after an error.
 */
int opener_talk_connect(int fds, int root, int at);

/* Sends the message of the request.  process is the directory /proc/PID. */
enum opener_end opener_talk_begin(struct opener_talk *t,
                                  const struct opener_request *what, int process,
                                  int socket);

/* Sends a signal to the process.  Returns -1 with errno set after an error. */
int opener_talk_signal(int process, int signal);

/*
 * Extends the deadline by OPENER_TALK_MS for the next part of the answer, up to OPENER_TRACE_MS
 * in total.
 */
void opener_talk_extend(struct opener_talk *t);

/*
 * Returns the number of bytes, 0 at the end, or -1 with errno set (ETIMEDOUT after the deadline).
 */
ssize_t opener_talk_read(struct opener_talk *t, char *to, size_t n);

#endif
