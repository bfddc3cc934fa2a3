/*
 * out - writes to a file or to standard output through a buffer.
 *
 * After an error, further output is dropped, and out_close returns the error.
 */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include "base/str.h"

enum { OUT_BUFFER = 1 << 16 };

/* A mapping of the file fd that several processes share.  The file grows when it is full. */
struct out_memory {
	int fd;
	char *p;
	uint64_t n, ready; /* numbers of bytes written, and of bytes in mapped pages */
	uint64_t *size;    /* size of the file, in shared memory */
	uint64_t most;     /* size of the mapping */
};

struct out {
	int fd;
	int error;        /* errno of the first failure, or 0 */
	const char *path; /* for messages, or NULL for standard output.  Not copied */
	/*
	 * If not NULL, sets fd before the first bytes are written.  Its data is `opener`.
	 * Returns -1 with errno set after an error.
	 */
	int (*open)(struct out *o);
	void *opener;
	bool screen; /* a terminal, so control characters are written as '?' */
	uint64_t id; /* id of the file for base/keeper.h.  out.c does not use it */
	struct out_memory *memory; /* if not NULL, receives the bytes instead of fd */
	char *buf;                 /* the buffer: `own`, or the next part of `memory` */
	size_t n, cap;             /* bytes in buf, and its size: 0 before out_open */
	char own[OUT_BUFFER];
};

/*
 * Write all bytes to a descriptor, at its position or at an offset.  Return -1 with errno set
 * after an error.  Some bytes may then have been written.
 */
int out_all(int fd, struct str bytes);
int out_all_at(int fd, struct str bytes, uint64_t at);

/*
 * Starts to write to fd, or to standard output if path is NULL.  If path is not NULL, out_close
 * and out_discard close fd.
 */
void out_open(struct out *o, const char *path, int fd);

/* Returns false if there is no memory.  `size` must be in shared memory. */
bool out_make_memory(struct out_memory *m, uint64_t *size);
void out_drop_memory(struct out_memory *m); /* also after out_make_memory has failed */

/* Starts to write to m, from its first byte on. */
void out_open_memory(struct out *o, struct out_memory *m);

/* Writes the buffered bytes.  Returns the number of bytes in the memory, or 0 for a file. */
uint64_t out_flush(struct out *o);

void out_write(struct out *o, const char *p, size_t n);

static inline void out_str(struct out *o, struct str s)
{
	if (s.n <= o->cap - o->n) {
		if (s.n)
			memcpy(o->buf + o->n, s.p, s.n);
		o->n += s.n;
	} else {
		out_write(o, s.p, s.n);
	}
}

/*
 * Writes a name from the input.  Replaces newlines and an initial tab by '?', because they could
 * start a new line or a frame.
 */
void out_name(struct out *o, struct str s);

static inline void out_char(struct out *o, char c)
{
	if (o->n == o->cap)
		out_write(o, &c, 1);
	else
		o->buf[o->n++] = c;
}

void out_fmt(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Write v to `to` with at least `least` digits (20 at most).  Return the number of
 * digits.
 */
size_t out_dec_at(char *to, uint64_t v, unsigned least);
size_t out_hex_at(char *to, uint64_t v, unsigned least);
size_t out_upper_hex_at(char *to, uint64_t v, unsigned least);

/* Write two hexadecimal digits for each byte.  out_bytes_at returns the number of digits. */
size_t out_bytes_at(char *to, struct str bytes);
void out_bytes(struct out *o, struct str bytes);

/*
 * Writes v in lower-case hexadecimal, padded with blanks on the left to `width`, which is at most
 * OUT_HEX.
 */
void out_hex(struct out *o, uint64_t v, unsigned width);
void out_dec(struct out *o, uint64_t v);

enum {
	OUT_HEX = 16, /* digits of the longest number */
	/* out_put and out_put_hex need this much room after the text */
	OUT_SPARE = 2 * OUT_HEX,
};

char *out_more_room(struct out *o, size_t n); /* implements out_room */
/* Returns room, or NULL if n > OUT_BUFFER.  The caller adds the number of its bytes to o->n. */
static inline char *out_room(struct out *o, size_t n)
{
	return n <= o->cap - o->n ? o->buf + o->n : out_more_room(o, n);
}

/*
 * Writes v like out_hex, but to `to`.  There must be room for OUT_SPARE bytes after the text.
 * width is at most OUT_HEX.  Returns the end of the text.
 */
char *out_put_hex(char *to, uint64_t v, unsigned width);

/*
 * Copies s to `to`.  There must be room for OUT_SPARE bytes after the text.  Copies OUT_HEX bytes
 * at a time, so OUT_HEX bytes after s must be readable.  Returns the end of the text.
 */
static inline char *out_put(char *to, struct str s)
{
	for (size_t i = 0; i < s.n; i += OUT_HEX)
		memcpy(to + i, s.p + i, OUT_HEX);
	return to + s.n;
}

/*
 * Writes the rest of the buffer and closes the file.  Returns 0, or -1 with o->error set.  If the
 * error is EPIPE, SIGPIPE ends the process.
 */
int out_close(struct out *o);

/* Closes the file without writing the rest of the buffer. */
void out_discard(struct out *o);

#endif
