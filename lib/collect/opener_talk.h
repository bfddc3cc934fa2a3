/*
 * opener_talk - how the child of the opener talks to a socket of the recorded process.
 *
 * Bytes are sent only if the kernel reports that the process is alive and listens at the
 * socket.  After OPENER_TALK_MS, a silent or slow listener is given up.
 */
#ifndef COLLECT_OPENER_TALK_H
#define COLLECT_OPENER_TALK_H

#include "collect/opener.h"

struct opener_talk {
	int socket;
	uint64_t end;  /* deadline in monotonic ms */
	uint64_t most; /* latest possible deadline of a trace, else 0 */
};

/*
 * Connects to the socket that the O_PATH descriptor `at` holds.  fds is the directory
 * /proc/self/fd.  root becomes the working directory.  Returns -1 and sets errno on
 * failure.
 */
int opener_talk_connect(int fds, int root, int at);

/* Sends the message of the request to the socket.  process is the directory /proc/PID. */
enum opener_end opener_talk_begin(struct opener_talk *t,
                                  const struct opener_request *what, int process,
                                  int socket);

/* Sends a signal to the process.  Returns -1 and sets errno on failure. */
int opener_talk_signal(int process, int signal);

/* Allows OPENER_TALK_MS for each further part of the answer, OPENER_TRACE_MS in total. */
void opener_talk_extend(struct opener_talk *t);

/* Returns the number of bytes, 0 at the end, or -1 with errno (ETIMEDOUT if too slow). */
ssize_t opener_talk_read(struct opener_talk *t, char *to, size_t n);

#endif
