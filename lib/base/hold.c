#include "base/hold.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

void hold_begin(struct hold *h)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM };
	struct sigaction now;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, &h->before);
	h->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool hold_wait(const struct hold *h, int fd)
{
	struct pollfd polled[] = { { .fd = h->fd, .events = POLLIN },
		                   { .fd = fd, .events = POLLIN } };

	while (poll(polled, 2, -1) < 0 && errno == EINTR)
		;
	return !(polled[0].revents & POLLIN);
}

bool hold_pending(const struct hold *h)
{
	struct pollfd polled = { .fd = h->fd, .events = POLLIN };

	return poll(&polled, 1, 0) > 0;
}

void hold_end(struct hold *h)
{
	if (h->fd >= 0)
		close(h->fd);
	h->fd = -1;
	sigprocmask(SIG_SETMASK, &h->before, NULL);
}
