#include "base/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * smaller descriptors are standard input, output and error, and stay reserved if they are closed
 */
enum { LEAST_FD = 3 };

static const size_t HEAD = offsetof(struct keeper_message, path);

static int move_up(int fd)
{
	int moved = fd < 0 || fd >= LEAST_FD ? fd : fcntl(fd, F_DUPFD_CLOEXEC, LEAST_FD);

	if (moved != fd)
		close(fd);
	return moved;
}

int keeper_connect(struct keeper *k, int *other)
{
	int fds[2];

	*k = (struct keeper){ -1, -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -1;
	k->fd = move_up(fds[0]);
	*other = move_up(fds[1]);
	k->lock = move_up(memfd_create("lock", MFD_CLOEXEC));
	if (k->fd >= 0 && *other >= 0 && k->lock >= 0)
		return 0;
	if (*other >= 0)
		close(*other);
	keeper_close(k);
	return -1;
}

void keeper_close(struct keeper *k)
{
	int error = errno;

	if (k->fd >= 0)
		close(k->fd);
	if (k->lock >= 0)
		close(k->lock);
	*k = (struct keeper){ -1, -1 };
	errno = error;
}

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static int send_message(int fd, const struct msghdr *msg)
{
	ssize_t sent;

	do
		sent = sendmsg(fd, msg, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -1 : 0;
}

int keeper_post(const struct keeper *k, struct keeper_message *m, struct str bytes)
{
	struct iovec parts[] = { { m, sizeof(*m) },
		                 { (char *)(uintptr_t)bytes.p, bytes.n } };

	m->serial = 0;
	return send_message(k->fd, &(struct msghdr){ .msg_iov = parts, .msg_iovlen = 2 });
}

int keeper_send(int fd, const struct keeper_message *m, int give)
{
	struct iovec part = { (void *)(uintptr_t)m, HEAD + strlen(m->path) + 1 };
	struct msghdr msg = { .msg_iov = &part, .msg_iovlen = 1 };
	union control control = { 0 };
	struct cmsghdr *head;

	if (give >= 0) {
		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
		head = CMSG_FIRSTHDR(&msg);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(head), &give, sizeof(int));
	}
	return send_message(fd, &msg);
}

static int descriptor_of(struct msghdr *msg)
{
	const struct cmsghdr *head = CMSG_FIRSTHDR(msg);
	int fd = -1;

	if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
	    head->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(head), sizeof(int));
	return fd;
}

int keeper_receive(int fd, struct keeper_message *m, struct keeper_bytes *bytes, int *got)
{
	struct iovec parts[] = { { m, sizeof(*m) },
		                 { bytes ? bytes->p : NULL, sizeof(bytes->p) } };
	union control control = { 0 };
	struct msghdr msg = { .msg_iov = parts,
		              .msg_iovlen = bytes ? 2 : 1,
		              .msg_control = control.bytes,
		              .msg_controllen = CMSG_LEN(
		                      sizeof(int)) }; /* room for one descriptor */
	size_t size;
	ssize_t n;

	*got = -1;
	do
		n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return (int)n;
	*got = descriptor_of(&msg);
	size = (size_t)n < sizeof(*m) ? (size_t)n : sizeof(*m);
	if (bytes)
		bytes->n = (size_t)n - size;
	if (size > HEAD && !((char *)m)[size - 1])
		return 1;
	if (*got >= 0)
		close(*got);
	*got = -1;
	errno = EPROTO;
	return -1;
}

static int set_lock(const struct keeper *k, short type)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET };
	int ret;

	do
		ret = fcntl(k->lock, F_SETLKW, &lock);
	while (ret < 0 && errno == EINTR);
	return ret;
}

/* Receives the answer to *m.  Skips answers to processes that have died. */
static int await(const struct keeper *k, struct keeper_message *m, int *got)
{
	uint64_t serial = m->serial;
	int ret;

	while ((ret = keeper_receive(k->fd, m, NULL, got)) > 0 && m->serial != serial)
		if (*got >= 0)
			close(*got);
	if (ret == 0)
		errno = EPIPE;
	return ret > 0 ? 0 : -1;
}

int keeper_ask(const struct keeper *k, struct keeper_message *m, int give, int *got)
{
	int fd = -1, ret, error;

	if (set_lock(k, F_WRLCK) < 0)
		return -1;
	/*
	 * The lock file contains the serial number of the last request.  All processes
	 * share this number, and only the owner of the lock changes it.
	 */
	m->serial = 0;
	(void)!pread(k->lock, &m->serial, sizeof(m->serial), 0);
	m->serial++;
	(void)!pwrite(k->lock, &m->serial, sizeof(m->serial), 0);
	ret = keeper_send(k->fd, m, give);
	if (ret == 0)
		ret = await(k, m, &fd);
	error = ret < 0 ? errno : m->error;
	set_lock(k, F_UNLCK);
	if (got)
		*got = fd;
	else if (fd >= 0)
		close(fd);
	errno = error;
	return error ? -1 : 0;
}
