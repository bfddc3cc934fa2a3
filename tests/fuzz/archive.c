/*
 * Any bytes as a file that is opened, unpacked if it is an archive, and read:
 * whatever they are, head, map and stream of each member must agree.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

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
	while ((got = stream_ahead(st, 1000)).n) {
		must(str_starts(str_from(map, n), got));
		n += got.n;
		stream_consume(st, got.n);
	}
	must(n == map.n && map.n == s->members[i].size);
	stream_close(st);
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
	arena_release(&run);
	return 0;
}
