/*
 * spool - stores unpacked bytes, and bytes from a pipe, in 32 MiB of memory, and then in
 * one temporary file without a name.  Private to source/.
 *
 * The file is created in TMPDIR (or /tmp) and disappears when the program ends in any
 * way.  Each entry of a spool begins at a page.
 *
 * The memory can be lent to a decompressor, whose output fills it from the front.  A
 * member that is contiguous there is kept in place, without a copy.  Other members are
 * copied to the file.
 */
#ifndef SOURCE_SPOOL_H
#define SOURCE_SPOOL_H

#include "base/keeper.h"
#include "base/str.h"

enum { SPOOL_MEMORY = 32 << 20 }; /* bytes */

struct spool {
	int fd;       /* descriptor of the file, or -1 */
	char *memory; /* the memory, as long as there is no file or the memory is lent */
	bool lent;    /* a decompressor uses the memory */
	bool no_memory; /* use a file from the first byte */
	uint64_t end;   /* number of bytes so far, including gaps */
	uint64_t kept;  /* number of lent bytes that are kept */
	uint64_t max;   /* limit of end + kept, or 0 */
	struct str map; /* all bytes, or empty until spool_map */
	/* creates the file, or NULL if this process creates it */
	const struct keeper *keeper;
};

/* Returns the directory for temporary files, for messages. */
const char *spool_directory(void);

void spool_init(struct spool *sp, uint64_t max, const struct keeper *keeper);

/* Creates a file without a name, for the keeper.  Returns -1 with errno set. */
int spool_file(void);

/*
 * Returns the default limit: the memory and half of the directory's free space, or 0 if
 * unknown.
 */
uint64_t spool_default_max(void);

/* Returns the offset of the next entry. */
uint64_t spool_begin(struct spool *sp);

/*
 * Writes bytes at `at`.  A gap before them reads as zeros.  Returns -1 with errno set, to
 * EFBIG if the limit would be exceeded.
 */
int spool_put(struct spool *sp, uint64_t at, struct str bytes);

/* Returns the number of bytes that may still be written after `at`. */
uint64_t spool_room(const struct spool *sp, uint64_t at);

/*
 * Lends the memory, which is zeroed.  Returns NULL if it is in use or cannot be
 * allocated.
 */
char *spool_lend(struct spool *sp);
bool spool_is_lent(const struct spool *sp, const char *p);

/*
 * Keeps n bytes of the lent memory.  Returns -1 with errno EFBIG if the limit would be
 * exceeded.
 */
int spool_keep(struct spool *sp, uint64_t n);

/*
 * Releases bytes that are no longer needed.  Whole pages of the lent memory read as zeros
 * again.
 */
void spool_give_back(struct spool *sp, struct str bytes);

/* Discards the content from `at` on. */
void spool_drop(struct spool *sp, uint64_t at);

/* Releases the disk blocks of the first n bytes, which must not be read again. */
void spool_punch(struct spool *sp, uint64_t n);

/* Maps all bytes.  Call it once, after the last spool_put.  Returns -1 with errno set. */
int spool_map(struct spool *sp);

/* Returns n mapped bytes at `at`.  If n is 0, the pointer is still not NULL. */
struct str spool_bytes(const struct spool *sp, uint64_t at, uint64_t n);

void spool_close(struct spool *sp);

#endif
