/*
 * Any bytes as a file that is opened, unpacked if it is an archive, and read:
 * whatever they are, head, map and stream of each member must agree.  They come through a
 * pipe as well, and are unpacked alone, as a section or a module of the kernel is.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

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
	must(n == map.n && map.n == s->members[i].size && !stream_error(st));
	stream_close(st);
}

static enum source_look look_stream(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_STREAM;
}

/* The bytes, of which some are held and read twice; a pipe has room for no more. */
static void read_pipe(struct str bytes, struct source_opts opts)
{
	enum { PIPE_ROOM = 32 << 10 };
	struct stream *st = NULL;
	struct source *s;
	struct str got;
	char path[64];
	int fd[2];

	if (!bytes.n || bytes.n > PIPE_ROOM)
		return;
	must(pipe2(fd, O_CLOEXEC) == 0);
	must(write(fd[1], bytes.p, bytes.n) == (ssize_t)bytes.n);
	close(fd[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[0]);
	opts.look = look_stream;
	s = source_open(path, &opts);
	if (s && s->n)
		st = stream_open(s, 0);
	if (st) {
		stream_hold(st);
		stream_ahead(st, bytes.n / 2);
		stream_consume(st, bytes.n / 4);
		stream_rewind(st);
		while ((got = stream_ahead(st, bytes.n / 3 + 1)).n)
			stream_consume(st, got.n);
		must(stream_at(st) <= bytes.n && !stream_error(st));
	}
	stream_close(st);
	source_close(s);
	close(fd[0]);
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
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena run = { 0 };
	struct diag diag = { .prog = "archive" };
	struct source_opts opts = { .look = look,
		                    .max_spool = 1 << 20,
		                    .is_profile = true,
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
	close(fd);
	read_pipe((struct str){ (const char *)data, size }, opts);
	unpack((struct str){ (const char *)data, size }, &run);
	arena_release(&run);
	return 0;
}
