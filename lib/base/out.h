/*
 * out - buffered writing to a file or standard output.  Errors are sticky.
 *
 * A file appears only when out_close succeeds.  Until then it has no name (O_TMPFILE), or a
 * temporary name beside it if the file system lacks that.  If the path is not a regular file
 * (/dev/full, a fifo), it is written directly.
 */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include "base/str.h"

enum { OUT_BUFFER = 1 << 16 };

struct out {
	int fd;
	int error;        /* errno of the first failure, or 0 */
	const char *path; /* NULL for standard output.  Borrowed */
	char *temp;       /* name of the temporary file, or NULL */
	bool rename;      /* the file gets its name at out_close */
	bool screen;      /* a terminal: control characters are written as '?' */
	size_t n;         /* bytes in buf */
	char buf[OUT_BUFFER];
};

/*
 * Writes all bytes to a file descriptor, or at an offset of it.  Returns -1 with errno set.  Some
 * of the bytes may then have been written.
 */
int out_all(int fd, struct str bytes);
int out_all_at(int fd, struct str bytes, uint64_t at);

/*
 * path NULL is standard output.  On failure returns -1 with errno, and o need not be closed.
 */
int out_open(struct out *o, const char *path);

/*
 * Creates a file without a name for out_open_at, if path is a regular file or does not exist.
 * Returns -1 if it is something else, or if that is impossible.
 */
int out_reserve(const char *path);

enum { OUT_NEW = -2 };

/*
 * Like out_open, but writes to the descriptor that out_reserve returned for this path, and owns
 * it. With OUT_NEW, writes to a new file, which replaces a link, a device or a FIFO.
 */
int out_open_at(struct out *o, const char *path, int reserved);

void out_write(struct out *o, const char *p, size_t n);

static inline void out_str(struct out *o, struct str s)
{
	if (s.n <= sizeof(o->buf) - o->n) {
		if (s.n)
			memcpy(o->buf + o->n, s.p, s.n);
		o->n += s.n;
	} else {
		out_write(o, s.p, s.n);
	}
}

/*
 * Writes a name from the input, with '?' for a newline, which would begin a line, and for a
 * leading tab, which begins the lines of frames.
 */
void out_name(struct out *o, struct str s);

static inline void out_char(struct out *o, char c)
{
	if (o->n == sizeof(o->buf))
		out_write(o, &c, 1);
	else
		o->buf[o->n++] = c;
}

void out_fmt(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes at least `least` digits of v to `to`, at most 20, and returns their number. */
size_t out_dec_at(char *to, uint64_t v, unsigned least);
size_t out_hex_at(char *to, uint64_t v, unsigned least);
size_t out_upper_hex_at(char *to, uint64_t v, unsigned least);

/* Writes two hex digits for each byte. */
size_t out_bytes_at(char *to, struct str bytes);

/* Lower-case hex, padded with blanks on the left to at least width, which is at most OUT_HEX. */
void out_hex(struct out *o, uint64_t v, unsigned width);
void out_dec(struct out *o, uint64_t v);

enum {
	OUT_HEX = 16,            /* digits of the longest number */
	OUT_SPARE = 2 * OUT_HEX, /* room that is needed after the text */
};

/* out_room if the rest of the buffer is too small. */
char *out_more_room(struct out *o, size_t n);

/*
 * Returns room for n bytes, which the caller writes and counts in o->n, or NULL if the buffer is
 * smaller.
 */
static inline char *out_room(struct out *o, size_t n)
{
	return n <= sizeof(o->buf) - o->n ? o->buf + o->n : out_more_room(o, n);
}

/*
 * Like out_hex, into room with OUT_SPARE bytes after the text.  width is at most OUT_HEX. Returns
 * the end.
 */
char *out_put_hex(char *to, uint64_t v, unsigned width);

/*
 * Copies OUT_HEX bytes at a time, so that many must be readable after s.  Otherwise like
 * out_put_hex.
 */
static inline char *out_put(char *to, struct str s)
{
	for (size_t i = 0; i < s.n; i += OUT_HEX)
		memcpy(to + i, s.p + i, OUT_HEX);
	return to + s.n;
}

/*
 * Writes the rest and gives the file its name.  Returns 0, or -1 with o->error set and no file
 * left.  On EPIPE the process ends by SIGPIPE.
 */
int out_close(struct out *o);

/* Discards the output.  No file appears. */
void out_discard(struct out *o);

#endif
