#include "leftover.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hold.h"

/* Read by the handler of signals, which finds no other data. */
static struct {
	volatile sig_atomic_t there;
	char path[PATH_MAX];
} leftover;

/* SA_RESETHAND and SA_NODEFER make the signal raised here end the program. */
static void on_end(int signal)
{
	if (leftover.there)
		unlink(leftover.path);
	raise(signal);
}

/* Handles the signals that would end the program. */
static void handle(void)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM };
	struct sigaction now, act = { .sa_handler = on_end,
		                      .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			sigaction(ends[i], &act, NULL);
}

/* Opening a FIFO waits for a reader, and must end by a signal.  It leaves no file. */
static bool is_special(const char *path)
{
	struct stat sb;

	return path && stat(path, &sb) == 0 && !S_ISREG(sb.st_mode);
}

int leftover_open(struct out *o, const char *path, int reserved)
{
	struct hold hold;
	int ret;

	if (is_special(path))
		return out_open_at(o, path, reserved);
	hold_begin(&hold);
	ret = out_open_at(o, path, reserved);
	if (ret == 0 && o->temp && strlen(o->temp) < sizeof(leftover.path)) {
		memcpy(leftover.path, o->temp, strlen(o->temp) + 1);
		leftover.there = 1;
		handle();
	}
	hold_end(&hold);
	return ret;
}

/*
 * Signals wait while a file gets its name.  Writing to a FIFO may block, so it can be
 * interrupted.
 */
int leftover_close(struct out *o)
{
	bool waits = o->rename;
	struct hold hold;
	int ret;

	if (waits)
		hold_begin(&hold);
	ret = out_close(o);
	leftover.there = 0;
	if (waits)
		hold_end(&hold);
	return ret;
}

void leftover_discard(struct out *o)
{
	out_discard(o);
	leftover.there = 0;
}
