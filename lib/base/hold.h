/*
 * hold - lets signals that would end the program wait while there is something to remove.
 */
#ifndef BASE_HOLD_H
#define BASE_HOLD_H

#include <signal.h>
#include <stdbool.h>

struct hold {
	sigset_t before; /* mask of the thread */
	int fd;          /* readable when a signal waits; -1: that cannot be told */
};

/* SIGHUP, SIGINT, SIGPIPE, SIGQUIT and SIGTERM wait from now on, if they are not ignored. */
void hold_begin(struct hold *h);

/* A signal waits. */
bool hold_pending(const struct hold *h);

/* Waits for bytes in fd, the end of it, or a signal; false: a signal waits. */
bool hold_wait(const struct hold *h, int fd);

/* A signal that waits is delivered: it ends the program here, if nothing handles it. */
void hold_end(struct hold *h);

#endif
