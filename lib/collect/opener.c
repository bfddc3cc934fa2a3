#include "collect/opener.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/out.h"
#include "base/pool.h"
#include "collect/opener_child.h"

enum { REAP_MS = 200 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Waits for a packet.  Adds the time to *waited_ms, the total for this file.  Returns false if
 * the wait is too long.
 */
static bool await(struct opener *o, unsigned *waited_ms)
{
	struct pollfd socket = { .fd = o->socket, .events = POLLIN };
	unsigned most = least(OPENER_STALL_MS,
	                      OPENER_FILE_MS - least(*waited_ms, OPENER_FILE_MS));
	uint64_t began = clock_now_ms(), end;
	int got;

	most = least(most, OPENER_TOTAL_MS - least(o->waited_ms, OPENER_TOTAL_MS));
	end = began + most;
	do {
		uint64_t now = clock_now_ms();

		got = poll(&socket, 1, now < end ? (int)(end - now) : 0);
	} while (got < 0 && errno == EINTR);
	*waited_ms += (unsigned)(clock_now_ms() - began);
	o->waited_ms += (unsigned)(clock_now_ms() - began);
	return got > 0;
}

/*
 * Receives a packet.  If no packet arrives, sets the reason in *file and returns false.
 */
static bool receive(struct opener *o, unsigned *waited_ms, struct opener_file *file)
{
	struct opener_packet *packet = o->packet;
	ssize_t n;

	if (!await(o, waited_ms)) {
		file->end = OPENER_STALLED;
		return false;
	}
	n = recv(o->socket, packet, sizeof(*packet), 0);
	if (n >= OPENER_HEAD && packet->n <= OPENER_CHUNK &&
	    (size_t)n - OPENER_HEAD == packet->n)
		return true;
	file->end = OPENER_DIED;
	return false;
}

/* Kills the child.  A child that hangs in the kernel is abandoned, and ends later. */
static void lose(struct opener *o)
{
	uint64_t end = clock_now_ms() + REAP_MS;

	close(o->socket);
	kill(o->child, SIGKILL);
	while (waitpid(o->child, NULL, WNOHANG) == 0 && clock_now_ms() < end)
		poll(NULL, 0, 1);
	o->child = 0;
	o->lost++;
}

void opener_stop(struct opener *o)
{
	if (o->child)
		lose(o);
	arena_release(&o->memory);
	o->packet = NULL;
}

/* Starts a child.  Returns false, and sets the reason in *file, if this fails. */
static bool start(struct opener *o, struct opener_file *file)
{
	struct opener_life life = { .rights = o->rights, .root = o->root };
	unsigned waited_ms = 0;
	int pair[2];

	if (o->lost >= OPENER_CHILDREN || o->waited_ms >= OPENER_TOTAL_MS) {
		file->end = OPENER_SPENT;
		return false;
	}
	if (!o->packet)
		o->packet = arena_new(&o->memory, struct opener_packet, 1);
	file->end = OPENER_ERROR;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		file->error = errno;
		return false;
	}
	life.socket = pair[1];
	o->socket = pair[0];
	o->child = pool_fork(opener_child, &life);
	file->error = errno;
	close(pair[1]);
	if (o->child < 0) {
		o->child = 0;
		close(pair[0]);
		return false;
	}
	if (receive(o, &waited_ms, file) && o->packet->file.end == OPENER_TAKEN) {
		*file = (struct opener_file){ .end = OPENER_TAKEN };
		return true;
	}
	if (file->end == OPENER_ERROR)
		*file = o->packet->file;
	lose(o);
	return false;
}

/* Sends a request.  There is no SIGPIPE if the child has died. */
static bool ask(const struct opener *o, const struct opener_request *what, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec part = { (void *)(uintptr_t)what, sizeof(*what) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *head;

		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		head = CMSG_FIRSTHDR(&message);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	}
	return sendmsg(o->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) ==
	       (ssize_t)sizeof(*what);
}

/* Receives the packets of an answer.  Returns false if the child was lost. */
static bool take_answer(struct opener *o, uint64_t limit, int to,
                        struct opener_file *file)
{
	const struct opener_packet *packet = o->packet;
	struct opener_file got = { .end = OPENER_TAKEN };
	unsigned waited_ms = 0;

	for (;;) {
		if (!receive(o, &waited_ms, &got)) {
			*file = got;
			return false;
		}
		if (!packet->n)
			break;
		got.n += packet->n;
		if (got.n > limit ||
		    out_all(to, (struct str){ packet->bytes, packet->n }) < 0) {
			*file = (struct opener_file){ .end = OPENER_NO_ROOM,
				                      .error = errno };
			return false;
		}
	}
	*file = packet->file;
	file->n = got.n;
	return true;
}

struct opener_file opener_take(struct opener *o, const struct opener_request *what,
                               int fd, int to)
{
	struct opener_file file = { .end = OPENER_TAKEN };

	if (ftruncate(to, 0) < 0 || lseek(to, 0, SEEK_SET) < 0) {
		file = (struct opener_file){ .end = OPENER_NO_ROOM, .error = errno };
	} else if (o->child || start(o, &file)) {
		if (!ask(o, what, fd)) {
			file.end = OPENER_DIED;
			lose(o);
		} else if (!take_answer(o, what->limit, to, &file)) {
			lose(o);
		}
	}
	return file;
}
