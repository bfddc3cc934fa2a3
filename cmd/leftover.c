#include "leftover.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/hold.h"
#include "base/place.h"

/* The open output.  It is global, because signal handlers have no parameter for data. */
static struct place leftover = { .fd = -1 };

/*
 * Removes the temporary file.  With SA_RESETHAND and SA_NODEFER, raising the signal again ends
 * the program.
 */
static void on_end(int signal)
{
	if (leftover.temp)
		unlink(leftover.temp);
	raise(signal);
}

/* Installs the handler for signals that would end the program. */
static void handle(void)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM };
	struct sigaction now, act = { .sa_handler = on_end,
		                      .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			sigaction(ends[i], &act, NULL);
}

/*
 * Signals are blocked while the file is created, so that the handler always knows the temporary
 * name.
 */
int leftover_open(struct out *o, const char *path)
{
	int fd = -1, error;
	struct hold hold;

	if (path) {
		hold_begin(&hold);
		if (place_begin(&leftover, path) == 0)
			fd = fcntl(leftover.fd, F_DUPFD_CLOEXEC, 0);
		error = errno;
		if (fd < 0)
			place_drop(&leftover);
		else
			handle();
		hold_end(&hold);
		errno = error;
		if (fd < 0)
			return -1;
	}
	out_open(o, path, fd);
	return 0;
}

int leftover_close(struct out *o)
{
	struct hold hold;

	if (out_close(o) < 0 || !o->path) {
		place_drop(&leftover);
		return o->error ? -1 : 0;
	}
	hold_begin(&hold);
	if (place_end(&leftover) < 0)
		o->error = errno;
	hold_end(&hold);
	return o->error ? -1 : 0;
}

void leftover_discard(struct out *o)
{
	out_discard(o);
	place_drop(&leftover);
}
