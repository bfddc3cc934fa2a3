#include "source/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	SPOOL_ALIGN = 4096,
	SPOOL_MEMORY = 32 << 20, /* so much needs no disk */
};

const char *spool_directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

void spool_init(struct spool *sp, uint64_t max)
{
	*sp = (struct spool){ .fd = -1, .max = max };
}

static bool have_memory(struct spool *sp)
{
	if (!sp->memory.p && sp->fd < 0 && !sp->no_memory)
		(void)area_open(&sp->memory, SPOOL_MEMORY);
	return sp->memory.p != NULL;
}

/* tmpfs of Linux before 3.11, NFS and some overlays do not know O_TMPFILE. */
static int open_nameless(void)
{
	const char *dir = spool_directory();
	int fd = open(dir, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	char *path;

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	if (asprintf(&path, "%s/offbox-XXXXXX", dir) < 0)
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

uint64_t spool_begin(struct spool *sp)
{
	return (sp->end + SPOOL_ALIGN - 1) / SPOOL_ALIGN * SPOOL_ALIGN;
}

uint64_t spool_room(const struct spool *sp, uint64_t at)
{
	/* Half the range: sums of an offset and a size then cannot wrap. */
	uint64_t max = sp->max ? sp->max : INT64_MAX / 2;

	if (max < sp->elsewhere)
		return 0;
	max -= sp->elsewhere;
	return at < max ? max - at : 0;
}

static int write_at(int fd, uint64_t at, struct str bytes)
{
	while (bytes.n) {
		ssize_t n = pwrite(fd, bytes.p, bytes.n, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes = str_from(bytes, (size_t)n);
		at += (uint64_t)n;
	}
	return 0;
}

/* What was in memory goes first. */
static int begin_file(struct spool *sp)
{
	int fd = open_nameless();

	if (fd < 0)
		return -1;
	if (sp->memory.p && write_at(fd, 0, (struct str){ sp->memory.p, sp->end }) < 0) {
		close(fd);
		return -1;
	}
	area_close(&sp->memory);
	sp->fd = fd;
	return 0;
}

int spool_put(struct spool *sp, uint64_t at, struct str bytes)
{
	uint64_t end = at + bytes.n;

	if (bytes.n > spool_room(sp, at)) {
		errno = EFBIG;
		return -1;
	}
	if (end <= SPOOL_MEMORY && have_memory(sp)) {
		if (bytes.n)
			memcpy(sp->memory.p + at, bytes.p, bytes.n);
	} else if ((sp->fd < 0 && begin_file(sp) < 0) ||
	           write_at(sp->fd, at, bytes) < 0) {
		return -1;
	}
	if (sp->end < end)
		sp->end = end;
	return 0;
}

void spool_drop(struct spool *sp, uint64_t at)
{
	if (at >= sp->end)
		return;
	if (sp->memory.p) {
		memset(sp->memory.p + at, 0, sp->end - at);
		sp->end = at;
		return;
	}
	/* A failure leaves bytes that nothing points to. */
	if (ftruncate(sp->fd, (off_t)at) == 0)
		sp->end = at;
}

void spool_punch(struct spool *sp, uint64_t n)
{
	if (sp->fd >= 0)
		(void)fallocate(sp->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		                (off_t)n);
}

int spool_map(struct spool *sp)
{
	void *p;

	if (!sp->end || sp->map.n)
		return 0;
	if (sp->memory.p) {
		sp->map = (struct str){ sp->memory.p, sp->end };
		return 0;
	}
	/* What ends in a gap is not that long yet. */
	if (ftruncate(sp->fd, (off_t)sp->end) < 0)
		return -1;
	p = mmap(NULL, sp->end, PROT_READ, MAP_PRIVATE, sp->fd, 0);
	if (p == MAP_FAILED)
		return -1;
	sp->map = (struct str){ p, sp->end };
	return 0;
}

struct str spool_bytes(const struct spool *sp, uint64_t at, uint64_t n)
{
	if (!n)
		return STR("");
	if (at > sp->map.n || n > sp->map.n - at)
		return (struct str){ NULL, 0 };
	return (struct str){ sp->map.p + at, n };
}

void spool_close(struct spool *sp)
{
	if (sp->map.n && !sp->memory.p)
		munmap((void *)(uintptr_t)sp->map.p, sp->map.n);
	area_close(&sp->memory);
	if (sp->fd >= 0)
		close(sp->fd);
	spool_init(sp, 0);
}
