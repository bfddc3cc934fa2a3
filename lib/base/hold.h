/* hold - lets signals that would end the program wait while there is something to remove. */
#ifndef BASE_HOLD_H
#define BASE_HOLD_H

#include <signal.h>
#include <stdbool.h>

struct hold {
	sigset_t before; /* mask of the thread */
	/* readable when a signal is pending, or -1 if signals cannot be observed */
	int fd;
};

/* SIGHUP, SIGINT, SIGPIPE, SIGQUIT and SIGTERM wait from now on, if they are not ignored. */
void hold_begin(struct hold *h);

/* A signal waits. */
bool hold_pending(const struct hold *h);

/* Waits for bytes in fd, the end of it, or a signal.  Returns false if a signal is pending. */
bool hold_wait(const struct hold *h, int fd);

/* Delivers a pending signal, which ends the program here unless it is handled. */
void hold_end(struct hold *h);

#endif
