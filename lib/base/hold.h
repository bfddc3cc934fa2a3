/* hold - delays signals that would end the program, as long as it has files to remove. */
#ifndef BASE_HOLD_H
#define BASE_HOLD_H

#include <signal.h>
#include <stdbool.h>

struct hold {
	sigset_t before; /* mask of the thread */
	/* readable if a signal is pending, or -1 if signals cannot be observed */
	int fd;
};

/*
 * From now on SIGHUP, SIGINT, SIGPIPE, SIGQUIT and SIGTERM are delayed, unless they are
 * ignored.
 */
void hold_begin(struct hold *h);

/* A signal waits. */
bool hold_pending(const struct hold *h);

/*
 * Waits until fd has bytes or has ended, or until a signal is pending.  Returns false if
 * a signal is pending.
 */
bool hold_wait(const struct hold *h, int fd);

/* Delivers a pending signal.  Unless the signal is handled, the program ends here. */
void hold_end(struct hold *h);

#endif
