/*
 * spool - stores unpacked members and bytes of pipes, first in 32 MiB of memory, and then in a
 * temporary file without a name.  Private to source/.
 *
 * The file is created in TMPDIR (or /tmp) and disappears when the program ends in any way.  Each
 * entry of a spool begins at a page.
 *
 * The memory can be lent to a decompressor, which fills it from the start.  If a member is
 * contiguous in this memory, it stays in place.  Other members are copied to the file.
 */
#ifndef SOURCE_SPOOL_H
#define SOURCE_SPOOL_H

#include "base/keeper.h"
#include "base/str.h"

enum { SPOOL_MEMORY = 32 << 20 }; /* bytes */

struct spool {
	int fd; /* the file, or -1 */
	/* the memory, or NULL.  Freed when the file is created, unless it is lent */
	char *memory;
	bool lent;      /* a decompressor is using the memory */
	bool no_memory; /* use only the file */
	uint64_t end;   /* number of bytes so far, including gaps */
	uint64_t kept;  /* number of lent bytes that spool_keep has kept */
	uint64_t max;   /* limit of end + kept, or 0 for no limit */
	struct str map; /* all bytes, or empty before spool_map */
	/* creates the file.  NULL: this process creates the file */
	const struct keeper *keeper;
};

/* Returns the directory for temporary files, for messages. */
const char *spool_directory(void);

void spool_init(struct spool *sp, uint64_t max, const struct keeper *keeper);

/*
 * Creates a file without a name.  The keeper calls this, too.  Returns -1 with errno set after an
 * error.
 */
int spool_file(void);

/*
 * Returns the default limit: SPOOL_MEMORY plus half of the free space in the directory.  Returns
 * 0 if the free space is unknown.
 */
uint64_t spool_default_max(void);

/* Returns the offset at which the next entry begins. */
uint64_t spool_begin(struct spool *sp);

/*
 * Writes bytes at `at`.  A gap before them reads as zeros.  Returns -1 with errno set after an
 * error.  errno is EFBIG if the limit would be exceeded.
 */
int spool_put(struct spool *sp, uint64_t at, struct str bytes);

/* Returns the number of bytes that can still be written from `at` on. */
uint64_t spool_room(const struct spool *sp, uint64_t at);

/*
 * Lends the memory of the spool, filled with zeros.  Returns NULL if the memory is in use or
 * cannot be allocated.
 */
char *spool_lend(struct spool *sp);
bool spool_is_lent(const struct spool *sp, const char *p);

/*
 * Keeps n bytes of the lent memory.  If this would exceed the limit, returns -1 with errno EFBIG.
 */
int spool_keep(struct spool *sp, uint64_t n);

/* Releases bytes that are no longer needed.  Whole pages of lent memory then read as zeros. */
void spool_give_back(struct spool *sp, struct str bytes);

/* Discards all bytes from `at` on. */
void spool_drop(struct spool *sp, uint64_t at);

/* Releases the disk space of the first n bytes, which must not be read again. */
void spool_punch(struct spool *sp, uint64_t n);

/*
 * Maps all bytes.  Call it once, after the last spool_put.  Returns -1 with errno set after an
 * error.
 */
int spool_map(struct spool *sp);

/* Returns n mapped bytes at `at`.  The pointer is not NULL, even if n is 0. */
struct str spool_bytes(const struct spool *sp, uint64_t at, uint64_t n);

void spool_close(struct spool *sp);

#endif
