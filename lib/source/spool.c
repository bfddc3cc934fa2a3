#include "source/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/out.h"
#include "base/pages.h"

enum { SPOOL_ALIGN = 4096 };

const char *spool_directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

void spool_init(struct spool *sp, uint64_t max, const struct keeper *keeper)
{
	*sp = (struct spool){ .fd = -1, .max = max, .keeper = keeper };
}

uint64_t spool_default_max(void)
{
	struct statvfs fs;

	if (statvfs(spool_directory(), &fs) < 0)
		return 0;
	return SPOOL_MEMORY + (uint64_t)fs.f_bavail * fs.f_frsize / 2;
}

/*
 * Allocates zeroed memory.  Only used pages consume memory.  Uses large pages if possible,
 * because page faults for small pages take as long as a copy.
 */
static bool take_memory(struct spool *sp)
{
	void *p = mmap(NULL, SPOOL_MEMORY, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return false;
	(void)madvise(p, SPOOL_MEMORY, MADV_HUGEPAGE);
	sp->memory = p;
	return true;
}

static void free_memory(struct spool *sp)
{
	if (sp->memory)
		munmap(sp->memory, SPOOL_MEMORY);
	sp->memory = NULL;
}

/* Returns true if all bytes are still in memory. */
static bool is_in_memory(const struct spool *sp)
{
	return sp->memory && !sp->lent;
}

static bool have_memory(struct spool *sp)
{
	if (!sp->memory && sp->fd < 0 && !sp->no_memory)
		(void)take_memory(sp);
	return is_in_memory(sp);
}

char *spool_lend(struct spool *sp)
{
	if (sp->memory || !take_memory(sp))
		return NULL;
	sp->lent = true;
	return sp->memory;
}

bool spool_is_lent(const struct spool *sp, const char *p)
{
	return sp->lent && p >= sp->memory && p < sp->memory + SPOOL_MEMORY;
}

int spool_keep(struct spool *sp, uint64_t n)
{
	if (n > spool_room(sp, sp->end)) {
		errno = EFBIG;
		return -1;
	}
	sp->kept += n;
	return 0;
}

void spool_give_back(struct spool *sp, struct str bytes)
{
	if (spool_is_lent(sp, bytes.p))
		pages_drop(bytes.p, bytes.n);
}

/*
 * O_TMPFILE fails on tmpfs before Linux 3.11, on NFS, and on some overlays.  On these file
 * systems, creates a file with a name, and removes the name.
 */
int spool_file(void)
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
	/* Half the range is used, so that the sum of an offset and a size does not overflow. */
	uint64_t max = sp->max ? sp->max : INT64_MAX / 2;

	if (max < sp->kept)
		return 0;
	max -= sp->kept;
	return at < max ? max - at : 0;
}

/* Creates the file, and moves the bytes from memory to it. */
static int begin_file(struct spool *sp)
{
	struct keeper_message m = { .kind = KEEPER_SPOOL };
	int fd = -1;

	if (!sp->keeper)
		fd = spool_file();
	else if (keeper_ask(sp->keeper, &m, -1, &fd) < 0)
		return -1;
	if (fd < 0)
		return -1;
	if (is_in_memory(sp)) {
		if (out_all_at(fd, (struct str){ sp->memory, sp->end }, 0) < 0) {
			close(fd);
			return -1;
		}
		free_memory(sp);
	}
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
			memcpy(sp->memory + at, bytes.p, bytes.n);
	} else if ((sp->fd < 0 && begin_file(sp) < 0) ||
	           out_all_at(sp->fd, bytes, at) < 0) {
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
	if (is_in_memory(sp)) {
		memset(sp->memory + at, 0, sp->end - at);
		sp->end = at;
		return;
	}
	/* If ftruncate fails, the file keeps unused bytes. */
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
	if (is_in_memory(sp)) {
		sp->map = (struct str){ sp->memory, sp->end };
		return 0;
	}
	/* If the last bytes are a gap, the file is still too short. */
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
	if (sp->map.n && !is_in_memory(sp))
		munmap((void *)(uintptr_t)sp->map.p, sp->map.n);
	free_memory(sp);
	if (sp->fd >= 0)
		close(sp->fd);
	spool_init(sp, 0, sp->keeper);
}
