/*
 * out - buffered writing to a file or standard output; errors are sticky.
 */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include "base/str.h"

enum { OUT_BUFFER = 1 << 16 };

struct out {
	int fd;
	int error;        /* errno of the first failure; 0 when all is well */
	const char *path; /* for messages; NULL for standard output; borrowed */
	bool screen;      /* a terminal: what would steer it is written as '?' */
	uint64_t id;      /* of the file, for the keeper; unused here */
	size_t n;         /* bytes in buf */
	char buf[OUT_BUFFER];
};

/*
 * Writes all bytes to a file descriptor, or at a place of it.  -1: errno says why; some of
 * the bytes may have been written.
 */
int out_all(int fd, struct str bytes);
int out_all_at(int fd, struct str bytes, uint64_t at);

/* path NULL is standard output, else fd is the file, which out_close or out_discard closes. */
void out_open(struct out *o, const char *path, int fd);

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
 * A name that came with the input: '?' stands for a newline, which would begin a line, and
 * for a tab in front, with which lines of frames begin.
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

/* Writes at least `least` digits of v to `to`, 20 at most; returns how many. */
size_t out_dec_at(char *to, uint64_t v, unsigned least);
size_t out_hex_at(char *to, uint64_t v, unsigned least);
size_t out_upper_hex_at(char *to, uint64_t v, unsigned least);

/* Writes two hex digits for each byte. */
size_t out_bytes_at(char *to, struct str bytes);

/* Lower-case hex, padded with blanks on the left to at least width, which is at most OUT_HEX. */
void out_hex(struct out *o, uint64_t v, unsigned width);
void out_dec(struct out *o, uint64_t v);

enum {
	OUT_HEX = 16,          /* digits of the longest number */
	OUT_SPARE = 2 * OUT_HEX, /* room that is needed behind what is put */
};

/* out_room where what is left of the buffer does not suffice. */
char *out_more_room(struct out *o, size_t n);

/* Room for n bytes, which the caller writes and counts in o->n; NULL: the buffer is smaller. */
static inline char *out_room(struct out *o, size_t n)
{
	return n <= sizeof(o->buf) - o->n ? o->buf + o->n : out_more_room(o, n);
}

/*
 * out_hex into room that was made with OUT_SPARE beyond all that is put; width is at most OUT_HEX.
 * Returns where it ends.
 */
char *out_put_hex(char *to, uint64_t v, unsigned width);

/* Copies by OUT_HEX bytes, so as many must be readable behind s; else likewise. */
static inline char *out_put(char *to, struct str s)
{
	for (size_t i = 0; i < s.n; i += OUT_HEX)
		memcpy(to + i, s.p + i, OUT_HEX);
	return to + s.n;
}

/* Writes the rest.  0, or -1 with o->error set.  On EPIPE the process ends by SIGPIPE. */
int out_close(struct out *o);

/* Closes it without the rest. */
void out_discard(struct out *o);

#endif
