/* hold - delays signals that would end the program while it still has files to remove. */
#ifndef BASE_HOLD_H
#define BASE_HOLD_H

#include <signal.h>
#include <stdbool.h>

struct hold {
	sigset_t before; /* signal mask of the thread */
	/* becomes readable when a signal is pending.  -1 if this is not supported */
	int fd;
};

/* Delays SIGHUP, SIGINT, SIGPIPE, SIGQUIT and SIGTERM from now on, unless they are ignored. */
void hold_begin(struct hold *h);

/* Returns true if a signal is pending. */
bool hold_pending(const struct hold *h);

/* Waits until fd is readable or at its end.  Returns false if a signal is pending. */
bool hold_wait(const struct hold *h, int fd);

/* Delivers a pending signal, which ends the program unless there is a handler. */
void hold_end(struct hold *h);

#endif
