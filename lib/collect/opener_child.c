#include "collect/opener_child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "collect/diagnostic.h"
#include "collect/opener_talk.h"

enum {
	/* maximum number of attempts to follow a path while directories are renamed */
	RACES = 100,
	LINKS = 40, /* maximum number of links in a path */
};

struct child {
	const struct rights *rights;
	int root;
	int fds; /* /proc/self/fd of the host */
	int socket;
	bool inside; /* root is this process's own root directory */
	struct opener_packet packet;
};

/* Closes descriptors of other processes and of the archive.  Returns false if this fails. */
static bool close_others(int fds, const int keep[3])
{
	DIR *dir = fdopendir(dup(fds));
	const struct dirent *d;

	while (dir && (d = readdir(dir)) != NULL) {
		int fd = atoi(d->d_name);

		if (fd > STDERR_FILENO && fd != keep[0] && fd != keep[1] &&
		    fd != keep[2] && fd != dirfd(dir))
			close(fd);
	}
	if (dir)
		closedir(dir);
	return dir != NULL;
}

/*
 * Takes the rights of the process.  Sets the parent-death signal again, because the change of
 * user has cleared it.
 */
static int enter(struct child *c)
{
	c->fds = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->fds < 0)
		return -1;
	if (!close_others(c->fds, (int[3]){ c->root, c->fds, c->socket }))
		return -1;
	signal(SIGPIPE, SIG_IGN);
	if (fchdir(c->root) < 0)
		return -1;
	c->inside = chroot(".") == 0;
	if (rights_take(c->rights) < 0)
		return -1;
	return prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/*
 * Reads the target of a link.  Returns its length, or -1.  Refuses links in /proc, because they
 * may lead out of the root.
 */
static ssize_t read_link(int fd, char *to, size_t room)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return -1;
	errno = ELOOP;
	return fs.f_type == PROC_SUPER_MAGIC ? -1 : readlinkat(fd, "", to, room);
}

/*
 * Replaces the link at the start of *rest by its target.  Returns false if the result is too
 * long.
 */
static bool follow(struct str *rest, const char *link, size_t n, char room[2][PATH_MAX],
                   int links)
{
	char *to = room[links % 2];
	size_t left = rest->n;

	if (n + 1 + left > PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(to, link, n);
	to[n] = '/';
	if (left)
		memcpy(to + n + 1, rest->p, left);
	*rest = (struct str){ to, n + 1 + left };
	return true;
}

/* Like walk, but opens one component after another, from this process's root. */
static int walk_parts(const char *path)
{
	char room[2][PATH_MAX], link[PATH_MAX], name[NAME_MAX + 1];
	int at = open("/", O_PATH | O_CLOEXEC), links = 0;
	struct str rest = str_of(path);
	struct stat st;

	while (at >= 0 && rest.n) {
		struct str part = str_cut(&rest, '/');
		int next = -1;
		ssize_t n;

		if (!part.n)
			continue;
		memcpy(name, part.p, part.n < NAME_MAX ? part.n : NAME_MAX);
		name[part.n < NAME_MAX ? part.n : NAME_MAX] = '\0';
		next = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (next >= 0 && rest.n && fstat(next, &st) == 0 && S_ISLNK(st.st_mode)) {
			n = links < LINKS ? read_link(next, link, sizeof(link)) : -1;
			close(next);
			next = -1;
			if (n > 0 && follow(&rest, link, (size_t)n, room, links++))
				next = *link == '/' ? open("/", O_PATH | O_CLOEXEC)
				                    : fcntl(at, F_DUPFD_CLOEXEC, 0);
		}
		close(at);
		at = next;
	}
	return at;
}

/* Opens a path inside root.  Follows links, except in the last component. */
static int walk(const struct child *c, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
		                .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	long fd = -1;

	for (int i = 0; i < RACES; i++) {
		fd = syscall(SYS_openat2, c->root, path, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	/* Linux before 5.6 lacks openat2, and containers may refuse unknown system calls. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM) && c->inside)
		fd = walk_parts(path);
	return (int)fd;
}

/*
 * Uses an O_PATH descriptor to open its object with `flags`.  The caller has checked that the type
 * of the object is safe.
 */
static int open_again(const struct child *c, int fd, int flags)
{
	char name[16];

	snprintf(name, sizeof(name), "%d", fd);
	return openat(c->fds, name, flags | O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static int refuse(struct opener_file *file, enum opener_end end, int error)
{
	file->end = end;
	file->error = error;
	return -1;
}

static bool is_talk(const struct opener_request *what)
{
	return what->verb == OPENER_TALK || what->verb == OPENER_TRACE;
}

static mode_t kind_of(const struct opener_request *what)
{
	return what->verb == OPENER_LIST ? S_IFDIR : is_talk(what) ? S_IFSOCK : S_IFREG;
}

/* Opens the object of the O_PATH descriptor `at`, if it has the requested kind. */
static int open_kind(const struct child *c, const struct opener_request *what, int at)
{
	if (is_talk(what))
		return opener_talk_connect(c->fds, c->root, at);
	return open_again(c, at, what->verb == OPENER_LIST ? O_DIRECTORY : 0);
}

/* Opens the requested object.  For OPENER_AGAIN, fd is its O_PATH descriptor. */
static int open_once(const struct child *c, const struct opener_request *what, int fd,
                     struct opener_file *file)
{
	int at = what->verb == OPENER_AGAIN ? fd : walk(c, what->path), got = -1;
	struct stat st;

	if (at < 0 || fstat(at, &st) < 0)
		refuse(file, OPENER_ERROR, errno);
	else if ((st.st_mode & S_IFMT) != kind_of(what))
		refuse(file, OPENER_IRREGULAR, 0);
	else
		got = open_kind(c, what, at);
	if (at >= 0 && got < 0 && file->end == OPENER_TAKEN)
		refuse(file, OPENER_ERROR, errno);
	file->size = got < 0 ? 0 : (uint64_t)st.st_size;
	if (at >= 0 && at != fd)
		close(at);
	return got;
}

/* Opens the file once with each user and group of the process. */
static int open_as_all(const struct child *c, const struct opener_request *what, int fd,
                       struct opener_file *file)
{
	int got = -1;

	for (size_t i = 0; i < RIGHTS_IDS; i++) {
		if (!rights_differ(c->rights, i))
			continue;
		if (got >= 0)
			close(got);
		if (!rights_use(c->rights, i))
			return refuse(file, OPENER_ERROR, EACCES);
		got = open_once(c, what, fd, file);
		if (got < 0)
			return -1;
	}
	return got;
}

/* Sends n bytes of the packet.  Returns false if the parent has ended. */
static bool send_packet(struct child *c, uint32_t n, const struct opener_file *file)
{
	c->packet.n = n;
	c->packet.file = *file;
	return send(c->socket, &c->packet, OPENER_HEAD + n, 0) >= 0;
}

static ssize_t read_some(int fd, char *to, size_t n, uint64_t offset)
{
	ssize_t got;

	do
		got = offset ? pread(fd, to, n, (off_t)offset) : read(fd, to, n);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Sends the content of a file.  Returns false if the parent has ended. */
static bool send_file(struct child *c, const struct opener_request *what, int fd,
                      struct opener_file *file)
{
	uint64_t offset = what->offset;

	if (file->size > what->limit) {
		file->end = OPENER_LARGE;
		return true;
	}
	for (;;) {
		ssize_t n = read_some(fd, c->packet.bytes, OPENER_CHUNK, offset);

		if (n < 0)
			refuse(file, OPENER_ERROR, errno);
		if (n <= 0)
			break;
		if ((uint64_t)n > what->limit - file->n) {
			n = (ssize_t)(what->limit - file->n);
			/* The end of a requested range is not an error. */
			file->end = what->offset ? OPENER_TAKEN : OPENER_GREW;
		}
		file->n += (uint64_t)n;
		offset += offset ? (uint64_t)n : 0;
		if (n && !send_packet(c, (uint32_t)n, file))
			return false;
		if (file->end == OPENER_GREW || (what->offset && file->n == what->limit))
			return true;
	}
	if (file->end == OPENER_TAKEN && file->n < file->size)
		file->end = OPENER_SHRANK;
	return true;
}

static bool is_asked(const char *name, const struct opener_request *what)
{
	struct str s = str_of(name), prefix = str_of(what->prefix),
	           suffix = str_of(what->suffix);

	return s.n >= prefix.n + suffix.n && str_starts(s, prefix) && str_ends(s, suffix);
}

/* Sends each name with its NUL as a packet.  A packet has room for any name. */
static bool send_names(struct child *c, const struct opener_request *what, int fd,
                       struct opener_file *file)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *d;
	unsigned names = 0;
	bool there = true;

	while (dir && there && (d = readdir(dir)) != NULL) {
		size_t n = strlen(d->d_name) + 1;

		if (!is_asked(d->d_name, what))
			continue;
		if (names++ == OPENER_NAMES) {
			file->end = OPENER_GREW;
			break;
		}
		memcpy(c->packet.bytes, d->d_name, n);
		file->n += n;
		there = send_packet(c, (uint32_t)n, file);
	}
	if (dir)
		closedir(dir);
	else
		close(fd);
	return there;
}

/* Sends the rest of an answer.  Returns false if the parent has ended. */
static bool send_rest(struct child *c, struct opener_talk *talk,
                      const struct opener_request *what, struct opener_file *file)
{
	for (;;) {
		ssize_t n = opener_talk_read(talk, c->packet.bytes, OPENER_CHUNK);

		if (n < 0)
			refuse(file, errno == ETIMEDOUT ? OPENER_STALLED : OPENER_ERROR,
			       errno);
		if (n <= 0)
			return true;
		if ((uint64_t)n > what->limit - file->n) {
			file->end = OPENER_GREW;
			return true;
		}
		file->n += (uint64_t)n;
		if (!send_packet(c, (uint32_t)n, file))
			return false;
	}
}

/*
 * Reads the start of an answer into the packet, and sets *n to its length.  If the answer
 * contains a session id, sends a second request to stop this session, and returns the socket of
 * this request.  Otherwise returns -1.
 */
static int stop_session(struct child *c, struct opener_talk *talk,
                        const struct opener_request *what, int process, size_t *n)
{
	struct opener_file unused = { .end = OPENER_TAKEN };
	struct opener_request stop = *what;
	struct opener_talk second;
	ssize_t got = 1;
	int to;

	while (*n < DIAGNOSTIC_SESSION && got > 0) {
		got = opener_talk_read(talk, c->packet.bytes + *n,
		                       DIAGNOSTIC_SESSION - *n);
		*n += got > 0 ? (size_t)got : 0;
	}
	stop.nmessage = (uint32_t)diagnostic_stop(stop.message, sizeof(stop.message),
	                                          (struct str){ c->packet.bytes, *n });
	to = stop.nmessage ? open_as_all(c, what, -1, &unused) : -1;
	if (to >= 0 && opener_talk_begin(&second, &stop, process, to) != OPENER_TAKEN) {
		close(to);
		to = -1;
	}
	return to;
}

/*
 * Sends the message to the socket `to`, and the answer to the parent.  process is /proc/PID.  The
 * runtime answers the request to stop only at the end of the trace, so the trace is read before
 * that answer.
 */
static bool send_answer(struct child *c, const struct opener_request *what, int process,
                        int to, struct opener_file *file)
{
	struct opener_talk talk;
	size_t n = 0;
	bool there;
	int second;

	file->size = 0;
	file->end = opener_talk_begin(&talk, what, process, to);
	file->error = file->end == OPENER_ERROR ? errno : 0;
	if (file->end != OPENER_TAKEN)
		return true;
	if (what->verb == OPENER_TALK)
		return send_rest(c, &talk, what, file);
	second = stop_session(c, &talk, what, process, &n);
	if (second < 0) {
		file->n = n;
		return (!n || send_packet(c, (uint32_t)n, file)) &&
		       send_rest(c, &talk, what, file);
	}
	opener_talk_extend(&talk);
	there = send_rest(c, &talk, what, file);
	close(second);
	return there;
}

/* Creates or removes a file in an open directory, so that a link cannot redirect the path. */
static int change_file(const struct child *c, const struct opener_request *what)
{
	struct str dir = str_dir(str_of(what->path)), name = str_base(str_of(what->path));
	char path[PATH_MAX] = { 0 };
	int at, got = -1, error;

	memcpy(path, dir.p, dir.n);
	at = walk(c, path);
	if (at < 0)
		return -1;
	if (what->verb == OPENER_REMOVE)
		got = unlinkat(at, name.p, 0);
	else
		got = openat(at, name.p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	error = errno;
	if (got > 0)
		close(got);
	close(at);
	errno = error;
	return got;
}

/* Serves requests that have an empty answer.  Returns false for other requests. */
static bool act(const struct child *c, const struct opener_request *what, int fd,
                struct opener_file *file)
{
	int got;

	if (what->verb == OPENER_QUIT)
		got = opener_talk_signal(fd, SIGQUIT);
	else if (what->verb == OPENER_MAKE || what->verb == OPENER_REMOVE)
		got = change_file(c, what);
	else
		return false;
	if (got < 0)
		refuse(file, OPENER_ERROR, errno);
	return true;
}

static bool serve(struct child *c, const struct opener_request *what, int fd)
{
	struct opener_file file = { .end = OPENER_TAKEN };
	int got = fd;
	bool there = true;

	if (act(c, what, fd, &file))
		got = -1;
	else if (what->verb != OPENER_AS_IS)
		got = open_as_all(c, what, fd, &file);
	if (got >= 0 && what->verb == OPENER_LIST)
		there = send_names(c, what, got, &file);
	else if (got >= 0 && is_talk(what))
		there = send_answer(c, what, fd, got, &file);
	else if (got >= 0)
		there = send_file(c, what, got, &file);
	if (got >= 0 && got != fd && what->verb != OPENER_LIST)
		close(got);
	if (fd >= 0)
		close(fd);
	return there && send_packet(c, 0, &file);
}

/* Receives a request, and its descriptor or -1.  Returns false if the parent has ended. */
static bool receive(const struct child *c, struct opener_request *what, int *fd)
{
	char control[CMSG_SPACE(sizeof(int))];
	struct iovec part = { what, sizeof(*what) };
	struct msghdr message = { .msg_iov = &part,
		                  .msg_iovlen = 1,
		                  .msg_control = control,
		                  .msg_controllen = sizeof(control) };
	const struct cmsghdr *head;
	ssize_t n;

	do
		n = recvmsg(c->socket, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	*fd = -1;
	if (n != (ssize_t)sizeof(*what))
		return false;
	head = CMSG_FIRSTHDR(&message);
	if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(head), sizeof(*fd));
	return true;
}

int opener_child(void *life)
{
	const struct opener_life *l = life;
	struct opener_file ready = { .end = OPENER_TAKEN };
	struct arena memory = { 0 };
	struct child *c = arena_new(&memory, struct child, 1);
	struct opener_request *what = arena_new(&memory, struct opener_request, 1);
	int fd;

	c->rights = l->rights;
	c->root = l->root;
	c->socket = l->socket;
	if (enter(c) < 0)
		refuse(&ready, OPENER_NO_RIGHTS, errno);
	if (!send_packet(c, 0, &ready) || ready.end != OPENER_TAKEN)
		return 1;
	while (receive(c, what, &fd))
		if (!serve(c, what, fd))
			return 1;
	return 0;
}
