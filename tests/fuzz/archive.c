/*
 * Any bytes as a file that is opened, unpacked if it is an archive, and read:
 * whatever they are, head, map and stream of each member must agree.  They come through a
 * pipe as well, from a file that shrinks, and are unpacked alone, as a section or a module of
 * the kernel is.  Of odd sizes they are a source beside a profile.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mutate.h"

#include "source/archive.h"
#include "source/decompress.h"
#include "source/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All three answers occur, and most that are no archive are tried as one. */
static enum source_look look(struct str name, struct str head)
{
	if (str_starts(name, STR("/proc")) || !head.n)
		return LOOK_NOTHING;
	return (unsigned char)head.p[0] % 3 ? LOOK_STREAM : LOOK_NOTHING;
}

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void read_member(struct source *s, size_t i)
{
	struct str map = source_map(s, i), head = source_head(s, i), got;
	struct stream *st = stream_open(s, i);
	uint64_t n = 0;

	must(s->members[i].absent == !map.p);
	must(s->members[i].absent == !st);
	must(head.n <= map.n && str_starts(map, head));
	if (!st)
		return;
	stream_hold(st);
	stream_consume(st, stream_ahead(st, 10).n);
	stream_rewind(st);
	must(!stream_at(st) && (!stream_size(st) || stream_size(st) == map.n));
	while ((got = stream_ahead(st, 1000)).n) {
		must(str_starts(str_from(map, n), got));
		n += got.n;
		stream_consume(st, got.n);
	}
	/* A byte order mark is left out. */
	must(n == map.n && !stream_error(st));
	must(map.n == s->members[i].size || map.n + 3 == s->members[i].size);
	stream_close(st);
}

static enum source_look look_stream(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_STREAM;
}

/* Fills a pipe with the bytes; those of every 16th size are repeated, beyond a window. */
static struct str fill_pipe(int fd, struct str bytes, struct arena *a)
{
	enum { PIPE_ROOM = 32 << 10, LARGE_ROOM = 1 << 20 };
	struct str all = { "", 0 };
	size_t times = 1;
	char *p;

	if (bytes.n > PIPE_ROOM)
		return all;
	if (bytes.n % 16 == 0 && fcntl(fd, F_SETPIPE_SZ, LARGE_ROOM) >= LARGE_ROOM)
		times = (LARGE_ROOM / 4 * 3) / bytes.n;
	all.p = p = arena_alloc(a, bytes.n * times, 1);
	for (; times > 0; times--, all.n += bytes.n)
		memcpy(p + all.n, bytes.p, bytes.n);
	must(write(fd, all.p, all.n) == (ssize_t)all.n);
	return all;
}

/* All that comes, of which some is held and read twice. */
static void read_held(struct stream *st, struct str all)
{
	struct str got;
	uint64_t n = 0;

	stream_hold(st);
	stream_ahead(st, all.n / 2);
	stream_consume(st, all.n / 4);
	stream_rewind(st);
	must(!stream_at(st));
	while ((got = stream_ahead(st, all.n / 3 + 1)).n) {
		must(str_starts(str_from(all, n), got));
		n += got.n;
		stream_consume(st, got.n);
	}
	must(stream_at(st) == all.n && !stream_error(st));
}

static void read_pipe(struct str bytes, struct source_opts opts)
{
	struct stream *st = NULL;
	struct source *s;
	char path[64];
	int fd[2];

	if (!bytes.n)
		return;
	must(pipe2(fd, O_CLOEXEC) == 0);
	bytes = fill_pipe(fd[1], bytes, opts.run);
	close(fd[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[0]);
	opts.look = look_stream;
	s = source_open(path, &opts);
	if (s && s->n)
		st = stream_open(s, 0);
	must(!st || !stream_open(s, 0));
	if (st)
		read_held(st, str_without_mark(bytes));
	stream_close(st);
	source_close(s);
	close(fd[0]);
}

/* A file that is cut to half while it is read says so once. */
static void read_shrinking(int fd, uint64_t size, struct source_opts opts,
                           const char *path)
{
	struct source *s;
	struct stream *st;
	uint64_t left; /* a byte order mark is left out */

	opts.look = look_stream;
	s = source_open(path, &opts);
	must(s && s->n == 1);
	st = stream_open(s, 0);
	must(st && !stream_stays(st) && !ftruncate(fd, (off_t)(size / 2)));
	left = stream_ahead(st, size + 1).n;
	must(left == size / 2 || left + 3 == size / 2 || size / 2 < 3);
	must(!stream_size(st) || stream_error(st));
	must(!stream_error(st));
	stream_close(st);
	source_close(s);
}

/* zstd unpacks the same before and behind a restart. */
static void unpack_steps(struct str bytes)
{
	static char out[2][4096];
	struct zstd *z = decompress_zstd_open();
	size_t n[2];
	int got[2];

	must(z != NULL);
	for (int i = 0; i < 2; i++) {
		struct str in = bytes;

		n[i] = sizeof(out[i]);
		got[i] = decompress_zstd_step(z, &in, out[i], &n[i]);
		decompress_zstd_restart(z);
	}
	must(got[0] == got[1] && n[0] == n[1] && !memcmp(out[0], out[1], n[0]));
	decompress_zstd_close(z);
}

static void unpack(struct str bytes, struct arena *a)
{
	enum { MOST = 1 << 20 };
	struct str got = decompress_file(bytes, MOST, a);

	must(got.n <= MOST);
	for (int whole = 0; whole < 2; whole++) {
		got = decompress_deflate(bytes, bytes.n * 2, whole, a);
		must(!got.n || got.n == bytes.n * 2);
	}
	decompress_crc32(bytes);
	unpack_steps(bytes);
}

/* Writes the sums of the headers that lie one behind the other. */
static void sum_headers(uint8_t *data, size_t size)
{
	enum { HEADER = 512, SUM = 148, SUM_END = 156, LENGTH = 124, DIGITS = 11 };

	for (size_t at = 0; at + HEADER <= size && data[at];) {
		uint64_t length = 0;
		unsigned sum = 0;

		for (size_t i = 0; i < HEADER; i++)
			sum += i >= SUM && i < SUM_END ? ' ' : data[at + i];
		snprintf((char *)data + at + SUM, SUM_END - SUM, "%06o", sum);
		for (size_t i = 0; i < DIGITS; i++)
			length = length * 8 + (data[at + LENGTH + i] & 7);
		at += HEADER + (size_t)((length + HEADER - 1) / HEADER * HEADER);
	}
}

/* A gzip file of one stored block, RFC 1951 section 3.2.4.  0: there is no room. */
static size_t wrap(struct str tar, uint8_t *data, size_t max)
{
	static const char head[] = "\x1f\x8b\x08\0\0\0\0\0\0\xff\1";
	uint16_t n = (uint16_t)tar.n, other = (uint16_t)~n;
	uint32_t tail[2] = { decompress_crc32(tar), n };
	uint8_t *p = data;

	if (tar.n > UINT16_MAX || tar.n + 32 > max)
		return 0;
	p = mempcpy(p, head, sizeof(head) - 1);
	p = mempcpy(p, &n, sizeof(n));
	p = mempcpy(p, &other, sizeof(other));
	p = mempcpy(p, tar.p, tar.n);
	p = mempcpy(p, tail, sizeof(tail));
	return (size_t)(p - data);
}

/* The tar that bytes are, packed or not, in a; empty: they are none. */
static struct str tar_of(struct str bytes, struct arena *a)
{
	if (decompress_is_gzip(bytes))
		bytes = decompress_file(bytes, 1 << 20, a);
	return archive_likely(bytes) && bytes.n >= 512 &&
	                       !memcmp(bytes.p + 257, "ustar", 5)
	               ? arena_str(a, bytes)
	               : (struct str){ 0 };
}

/* A tar, packed or not, is changed inside and has the sums that it must have. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	struct str bytes = { (const char *)data, size };
	struct arena a = { 0 };
	struct str tar = seed % 2 ? (struct str){ 0 } : tar_of(bytes, &a);
	size_t n = 0;

	if (tar.n) {
		uint8_t *copy = arena_alloc(&a, tar.n, 1);

		memcpy(copy, tar.p, tar.n);
		mutate_in_place(copy, tar.n);
		sum_headers(copy, tar.n);
		tar.p = (const char *)copy;
		if (decompress_is_gzip(bytes))
			n = wrap(tar, data, max);
		else
			n = (size_t)((uint8_t *)mempcpy(data, tar.p, tar.n) - data);
	}
	arena_release(&a);
	return n ? n : LLVMFuzzerMutate(data, size, max);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena run = { 0 };
	struct diag diag = { .prog = "archive" };
	struct source_opts opts = { .look = look,
		                    .max_spool = 1 << 20,
		                    .is_profile = size % 2 == 0,
		                    .run = &run,
		                    .diag = &diag };
	int fd = memfd_create("archive", MFD_CLOEXEC);
	struct source *s;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	s = source_open(path, &opts);
	must(s != NULL);
	for (size_t i = 0; i < s->n; i++) {
		must(!i || str_cmp(s->members[i - 1].name, s->members[i].name) <= 0);
		read_member(s, i);
	}
	source_close(s);
	read_shrinking(fd, size, opts, path);
	close(fd);
	read_pipe((struct str){ (const char *)data, size }, opts);
	unpack((struct str){ (const char *)data, size }, &run);
	arena_release(&run);
	return 0;
}
