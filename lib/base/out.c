#include "base/out.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/block.h"
#include "base/pages.h"

static void use_own(struct out *o)
{
	o->buf = o->own;
	o->cap = sizeof(o->own);
}

void out_open(struct out *o, const char *path, int fd)
{
	o->fd = path ? fd : STDOUT_FILENO;
	o->error = 0;
	o->n = 0;
	o->path = path;
	o->open = NULL;
	o->memory = NULL;
	use_own(o);
	o->screen = isatty(o->fd);
}

enum {
	/* a growing file of shared memory gets this number of bytes more than needed */
	GROWN = 256 << 10,
	/*
	 * maximum bytes of one system call.  For more, Linux may use one large page.  A virtual
	 * machine that had not used this page before took five times as long to fill it
	 */
	AT_ONCE = 512 << 10,
	/* maximum size of a memory in bytes */
	MEMORY_MOST = sizeof(void *) > 4 ? 1 << 30 : 1 << 25,
};

bool out_make_memory(struct out_memory *m, uint64_t *size)
{
	int fd = memfd_create("part", MFD_CLOEXEC);
	void *p = mmap(NULL, MEMORY_MOST, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	*m = (struct out_memory){ .fd = fd, .p = p, .size = size, .most = MEMORY_MOST };
	return p != MAP_FAILED;
}

void out_drop_memory(struct out_memory *m)
{
	if (m->p != MAP_FAILED)
		munmap(m->p, m->most);
	if (m->fd >= 0)
		close(m->fd);
}

/* Makes the buffer the part of the memory that follows the written bytes, with at least n bytes. */
static void use_memory(struct out *o, size_t n)
{
	struct out_memory *m = o->memory;
	uint64_t need = m->n + n;

	if (need > m->most && !o->error)
		o->error = ENOSPC;
	if (need > *m->size && !o->error) {
		need = need < m->most - GROWN ? need + GROWN : m->most;
		if (ftruncate(m->fd, (off_t)need) < 0)
			o->error = errno;
		else
			*m->size = need;
	}
	if (o->error) {
		use_own(o);
		return;
	}
	if (m->ready < *m->size)
		pages_write(m->p + m->ready, *m->size - m->ready);
	m->ready = *m->size;
	o->buf = m->p + m->n;
	o->cap = *m->size - m->n;
}

void out_open_memory(struct out *o, struct out_memory *m)
{
	m->n = 0;
	o->fd = m->fd;
	o->error = 0;
	o->n = 0;
	o->path = NULL;
	o->open = NULL;
	o->memory = m;
	o->screen = false;
	use_memory(o, 0);
}

static int write_some(int fd, struct str bytes, off_t at)
{
	while (bytes.n) {
		size_t some = bytes.n < AT_ONCE ? bytes.n : AT_ONCE;
		ssize_t n =
		        at < 0 ? write(fd, bytes.p, some) : pwrite(fd, bytes.p, some, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes = str_from(bytes, (size_t)n);
		at += at < 0 ? 0 : n;
	}
	return 0;
}

int out_all(int fd, struct str bytes)
{
	return write_some(fd, bytes, -1);
}

int out_all_at(int fd, struct str bytes, uint64_t at)
{
	return write_some(fd, bytes, (off_t)at);
}

static void write_bytes(struct out *o, const char *p, size_t n)
{
	if (!o->error && out_all(o->fd, (struct str){ p, n }) < 0)
		o->error = errno;
}

/* Returns true if s may be the start of a control sequence that continues in the next block. */
static bool is_cut_mark(struct str s)
{
	char c = *s.p;

	return c == '\xe2' ? s.n < 3 : (c == '\xc2' || c == '\xd8') && s.n < 2;
}

static void write_shown(struct out *o, struct str s)
{
	char shown[4096];

	while (s.n && !o->error) {
		size_t n = 0;

		while (s.n && n < sizeof(shown)) {
			size_t odd = *s.p == '\n' || *s.p == '\t' ? 0 : str_control(s);

			shown[n++] = odd || is_cut_mark(s) ? '?' : *s.p;
			s = str_from(s, odd ? odd : 1);
		}
		write_bytes(o, shown, n);
	}
}

static void write_all(struct out *o, const char *p, size_t n)
{
	int (*open)(struct out * o) = o->open;

	o->open = NULL;
	if (open && open(o) < 0)
		o->error = errno;
	if (o->screen)
		write_shown(o, (struct str){ p, n });
	else
		write_bytes(o, p, n);
}

void out_name(struct out *o, struct str s)
{
	if (str_starts(s, STR("\t"))) {
		out_char(o, '?');
		s = str_from(s, 1);
	}
	while (s.n) {
		size_t n = str_find(s, '\n');

		out_str(o, str_head(s, n));
		if (n < s.n)
			out_char(o, '?');
		s = str_from(s, n + 1);
	}
}

/* Empties the buffer.  Afterwards there is room for n bytes, if n is at most OUT_BUFFER. */
static void empty(struct out *o, size_t n)
{
	if (!o->memory) {
		write_all(o, o->buf, o->n);
		use_own(o);
	} else {
		if (!o->error)
			o->memory->n += o->n;
		use_memory(o, n);
	}
	o->n = 0;
}

void out_write(struct out *o, const char *p, size_t n)
{
	if (n > o->cap - o->n) {
		empty(o, n);
		if (n >= OUT_BUFFER && !o->memory) {
			write_all(o, p, n);
			return;
		}
		if (n > o->cap)
			return; /* there is an error */
	}
	memcpy(o->buf + o->n, p, n);
	o->n += n;
}

uint64_t out_flush(struct out *o)
{
	empty(o, 0);
	return o->memory ? o->memory->n : 0;
}

char *out_more_room(struct out *o, size_t n)
{
	if (n > OUT_BUFFER)
		return NULL;
	empty(o, n);
	return o->buf;
}

void out_fmt(struct out *o, const char *fmt, ...)
{
	char small[1024], *big = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n < (int)sizeof(small)) {
		out_write(o, small, n < 0 ? 0 : (size_t)n);
		return;
	}
	va_start(ap, fmt);
	n = vasprintf(&big, fmt, ap);
	va_end(ap);
	if (n < 0) {
		o->error = ENOMEM;
		return;
	}
	out_write(o, big, (size_t)n);
	free(big);
}

enum { DIGITS = 20 }; /* maximum number of digits of a number */

/* Inlined with a constant base, so that the compiler needs no division. */
static inline size_t put_digits(char *to, uint64_t v, unsigned base, unsigned least,
                                const char *digit)
{
	char digits[DIGITS];
	size_t at = DIGITS, first = DIGITS - (least < DIGITS ? least : DIGITS);

	do {
		digits[--at] = digit[v % base];
		v /= base;
	} while (v || at > first);
	memcpy(to, digits + at, DIGITS - at);
	return DIGITS - at;
}

/* Writes two digits at a time. */
size_t out_dec_at(char *to, uint64_t v, unsigned least)
{
	static const char pairs[] = "0001020304050607080910111213141516171819"
	                            "2021222324252627282930313233343536373839"
	                            "4041424344454647484950515253545556575859"
	                            "6061626364656667686970717273747576777879"
	                            "8081828384858687888990919293949596979899";
	char digits[DIGITS];
	size_t at = DIGITS, first = DIGITS - (least < DIGITS ? least : DIGITS);

	while (v >= 10 || at > first + 1) {
		at -= 2;
		memcpy(digits + at, pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v || at > first)
		digits[--at] = (char)('0' + v);
	memcpy(to, digits + at, DIGITS - at);
	return DIGITS - at;
}

size_t out_hex_at(char *to, uint64_t v, unsigned least)
{
	return put_digits(to, v, 16, least, "0123456789abcdef");
}

size_t out_upper_hex_at(char *to, uint64_t v, unsigned least)
{
	return put_digits(to, v, 16, least, "0123456789ABCDEF");
}

size_t out_bytes_at(char *to, struct str bytes)
{
	for (size_t i = 0; i < bytes.n; i++)
		to += out_hex_at(to, (unsigned char)bytes.p[i], 2);
	return 2 * bytes.n;
}

void out_bytes(struct out *o, struct str bytes)
{
	char hex[2];

	for (size_t i = 0; i < bytes.n; i++)
		out_write(o, hex, out_hex_at(hex, (unsigned char)bytes.p[i], 2));
}

/*
 * Writes n digits.  The highest byte of `high` contains the first digit.  `low` contains the next
 * digits.
 */
static char *put_hex(char *to, uint64_t high, uint64_t low, unsigned n, unsigned width)
{
	high = htobe64(high);
	low = htobe64(low);
	if (n < width) {
		memset(to, ' ', OUT_HEX);
		to += width - n;
	}
	memcpy(to, &high, 8);
	memcpy(to + 8, &low, 8);
	return to + n;
}

char *out_put_hex(char *to, uint64_t v, unsigned width)
{
	uint64_t low = block_hex_digits((uint32_t)v);
	unsigned n = v ? OUT_HEX - (unsigned)__builtin_clzll(v) / 4 : 1;
	__uint128_t digits;

	if (n <= 8)
		return put_hex(to, low << 8 * (8 - n), 0, n, width);
	digits = (__uint128_t)block_hex_digits((uint32_t)(v >> 32)) << 64 | low;
	digits <<= 8 * (OUT_HEX - n);
	return put_hex(to, (uint64_t)(digits >> 64), (uint64_t)digits, n, width);
}

void out_hex(struct out *o, uint64_t v, unsigned width)
{
	char *to = out_room(o, OUT_HEX + OUT_SPARE);

	o->n += (size_t)(out_put_hex(to, v, width) - to);
}

void out_dec(struct out *o, uint64_t v)
{
	char digits[DIGITS];

	out_str(o, (struct str){ digits, out_dec_at(digits, v, 1) });
}

int out_close(struct out *o)
{
	empty(o, 0);
	if (o->error == EPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	if (o->path && close(o->fd) < 0 && !o->error)
		o->error = errno;
	o->fd = -1;
	return o->error ? -1 : 0;
}

void out_discard(struct out *o)
{
	if (o->path && o->fd >= 0)
		close(o->fd);
	o->fd = -1;
}
