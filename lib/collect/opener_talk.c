#include "collect/opener_talk.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * Uses the path /proc/self/fd/`at`, because the socket is already open as `at`.  The
 * original path may be longer than the 107 bytes of a socket address, and the socket at this
 * path may have been replaced.
 */
int opener_talk_connect(int fds, int root, int at)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error;

	snprintf(address.sun_path, sizeof(address.sun_path), "%d", at);
	if (fd >= 0 && fchdir(fds) == 0 &&
	    connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
	    fchdir(root) == 0)
		return fd;
	error = errno;
	if (fd >= 0)
		close(fd);
	(void)!fchdir(root);
	errno = error;
	return -1;
}

int opener_talk_signal(int process, int signal)
{
	return (int)syscall(SYS_pidfd_send_signal, process, signal, NULL, 0);
}

/*
 * Returns false if the process of the pidfd has ended.  A kernel without pidfd_send_signal cannot
 * tell this, so the result is then true.
 */
static bool is_alive(int process)
{
	return opener_talk_signal(process, 0) == 0 || errno != ESRCH;
}

static bool is_peer(int socket, int32_t pid)
{
	struct ucred peer;
	socklen_t n = sizeof(peer);

	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 &&
	       peer.pid == pid;
}

enum opener_end opener_talk_begin(struct opener_talk *t,
                                  const struct opener_request *what, int process,
                                  int socket)
{
	size_t n = what->nmessage;

	*t = (struct opener_talk){ .socket = socket,
		                   .end = clock_now_ms() + OPENER_TALK_MS };
	if (n > sizeof(what->message) || !is_peer(socket, what->pid) ||
	    !is_alive(process))
		return OPENER_FOREIGN;
	/* A new connection has room for a whole message, so send never sends only a part. */
	if (send(socket, what->message, n, MSG_NOSIGNAL) != (ssize_t)n)
		return OPENER_ERROR;
	return OPENER_TAKEN;
}

void opener_talk_extend(struct opener_talk *t)
{
	t->most = clock_now_ms() + OPENER_TRACE_MS;
}

ssize_t opener_talk_read(struct opener_talk *t, char *to, size_t n)
{
	struct pollfd polled = { .fd = t->socket, .events = POLLIN };

	if (t->most) {
		t->end = clock_now_ms() + OPENER_TALK_MS;
		if (t->end > t->most)
			t->end = t->most;
	}
	for (;;) {
		uint64_t now = clock_now_ms();
		ssize_t got;

		if (now >= t->end) {
			errno = ETIMEDOUT;
			return -1;
		}
		got = recv(t->socket, to, n, 0);
		if (got >= 0 || (errno != EAGAIN && errno != EINTR))
			return got;
		(void)poll(&polled, 1, (int)(t->end - now));
	}
}
