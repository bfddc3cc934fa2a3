/*
 * The next bytes are buf[begin..fill).  Earlier bytes are dropped when room is needed.  If
 * stream_hold was called for a pipe, all bytes since this call are kept.
 */
#include "source/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/directory.h"

enum { WINDOW_BYTES = 256 << 10 };

struct stream {
	int fd;    /* owned by the stream, or -1 for memory */
	bool pipe; /* use read instead of pread */
	bool held;
	bool ended;     /* the window contains the last bytes */
	int error;      /* errno of the failed read, or 0 */
	bool told;      /* stream_error has returned this error */
	uint64_t size;  /* in bytes, or 0 for a pipe */
	uint64_t first; /* offset of the member in fd */
	uint64_t next;  /* number of the member's bytes read so far */
	uint64_t at;    /* number of consumed bytes */
	uint64_t hold_at;
	const char *bytes; /* buf or, for a stream over memory, this memory */
	char *buf;         /* NULL for a stream over memory */
	size_t cap, begin, fill;
	size_t hold;           /* for a pipe: `begin` at the time of stream_hold */
	struct budget *budget; /* budget of the input, or NULL */
};

struct stream *stream_over(struct str bytes)
{
	struct stream *st = calloc(1, sizeof(*st));

	if (!st)
		return NULL;
	st->fd = -1;
	st->ended = true;
	st->size = bytes.n;
	st->bytes = bytes.n ? bytes.p : "";
	st->fill = bytes.n;
	return st;
}

static int own_fd(struct source *s, struct member *m)
{
	struct source_state *state = s->state;

	errno = m->absent ? ENODATA : EBUSY;
	if (m->absent || (s->kind == SOURCE_PIPE && state->streamed))
		return -1;
	if (s->kind == SOURCE_DIR)
		return directory_open(s, m);
	return fcntl(state->spooled ? state->spool.fd : state->fd, F_DUPFD_CLOEXEC, 3);
}

/* Returns the size of a byte order mark at the start of a member. */
static size_t mark_of(int fd, const struct member *m)
{
	char begin[3];
	struct str head = { begin, sizeof(begin) };

	if (m->size < head.n ||
	    file_read_at(fd, begin, head.n, m->off) != (ssize_t)head.n)
		return 0;
	return head.n - str_without_mark(head).n;
}

struct stream *stream_open(struct source *s, size_t member)
{
	struct member *m = &s->members[member];
	struct stream *st;
	int fd;

	/* An empty member needs no file.  The spool has no file if all members are empty. */
	if (s->state->spooled && !m->size && !m->absent)
		return stream_over(STR(""));
	/* If the bytes are in memory or in the cache, they are not in a file of the spool. */
	if (s->state->spooled && (m->placed || s->state->spool.fd < 0)) {
		struct str bytes = source_map(s, member);

		return bytes.p ? stream_over(bytes) : NULL;
	}
	fd = own_fd(s, m);
	if (fd < 0)
		return NULL;
	st = calloc(1, sizeof(*st));
	if (st)
		st->buf = malloc(WINDOW_BYTES);
	if (!st || !st->buf) {
		free(st);
		close(fd);
		errno = ENOMEM;
		return NULL;
	}
	st->fd = fd;
	st->bytes = st->buf;
	st->cap = WINDOW_BYTES;
	st->pipe = s->kind == SOURCE_PIPE;
	st->size = m->size;
	st->first = m->off;
	st->budget = s->budget;
	if (st->pipe) {
		if (m->head.n)
			memcpy(st->buf, m->head.p, m->head.n);
		st->fill = m->head.n;
		st->begin = m->head.n - str_without_mark(m->head).n;
		s->state->streamed = true;
	} else {
		size_t mark = mark_of(fd, m);

		st->first += mark;
		st->size -= mark;
		(void)posix_fadvise(fd, (off_t)m->off, (off_t)m->size,
		                    POSIX_FADV_SEQUENTIAL);
	}
	return st;
}

/* Makes room at the end of buf.  Returns -1 if memory runs out. */
static int make_room(struct stream *st)
{
	size_t keep = st->held && st->pipe ? st->hold : st->begin;
	char *grown;

	if (keep && st->cap - st->fill < st->cap / 2) {
		memmove(st->buf, st->buf + keep, st->fill - keep);
		st->begin -= keep;
		st->fill -= keep;
		st->hold = st->hold > keep ? st->hold - keep : 0;
	}
	/*
	 * The window grows only when it is full, so that a wrong size in a record does
	 * not cause a large allocation.
	 */
	if (st->fill < st->cap)
		return 0;
	grown = st->cap > SIZE_MAX / 2 ? NULL : realloc(st->buf, st->cap * 2);
	if (!grown) {
		st->error = ENOMEM;
		return -1;
	}
	st->buf = grown;
	st->bytes = grown;
	st->cap *= 2;
	return 0;
}

static void refill(struct stream *st)
{
	size_t room;
	uint64_t left;
	ssize_t got;

	if (make_room(st) < 0) {
		st->ended = true;
		return;
	}
	room = st->cap - st->fill;
	left = st->size - st->next;
	if (st->pipe)
		got = file_read(st->fd, st->buf + st->fill, room);
	else
		got = file_read_at(st->fd, st->buf + st->fill,
		                   left < room ? (size_t)left : room,
		                   st->first + st->next);
	if (got < 0)
		st->error = errno;
	else if (!got && !st->pipe && left)
		st->error = ENODATA; /* the file has become shorter since it was opened */
	if (got <= 0) {
		st->ended = true;
		return;
	}
	if (st->pipe)
		budget_add(st->budget, (uint64_t)got);
	st->fill += (size_t)got;
	st->next += (uint64_t)got;
	if (!st->pipe && st->next == st->size)
		st->ended = true;
}

struct str stream_ahead(struct stream *st, size_t min)
{
	while (st->fill - st->begin < min && !st->ended)
		refill(st);
	return (struct str){ st->bytes + st->begin, st->fill - st->begin };
}

bool stream_stays(const struct stream *st)
{
	return st->fd < 0;
}

void stream_consume(struct stream *st, size_t n)
{
	st->begin += n;
	st->at += n;
}

uint64_t stream_at(const struct stream *st)
{
	return st->at;
}

uint64_t stream_size(const struct stream *st)
{
	return st->size;
}

void stream_hold(struct stream *st)
{
	st->held = true;
	st->hold_at = st->at;
	st->hold = st->begin;
}

void stream_seek(struct stream *st, uint64_t at)
{
	if (st->fd < 0) {
		st->begin += at - st->at;
	} else if (st->at != at) {
		st->begin = st->fill = 0;
		st->next = at;
		st->ended = st->error != 0 || at == st->size;
	}
	st->at = at;
}

void stream_rewind(struct stream *st)
{
	if (!st->held)
		return;
	if (st->pipe) {
		st->begin = st->hold;
		st->at = st->hold_at;
	} else {
		stream_seek(st, st->hold_at);
	}
	st->held = false;
}

const char *stream_error(struct stream *st)
{
	if (!st->error || st->told)
		return NULL;
	st->told = true;
	return st->error == ENODATA ? "the file shrank while it was read"
	                            : strerror(st->error);
}

void stream_close(struct stream *st)
{
	if (!st)
		return;
	if (st->fd >= 0)
		close(st->fd);
	free(st->buf);
	free(st);
}
