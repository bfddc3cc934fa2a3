/*
 * spool - the place of unpacked bytes, and of bytes from a pipe: 32 MiB of memory, and then one
 * temporary file without a name.  Private to source/.
 *
 * The file is created in TMPDIR (or /tmp) and disappears when the program ends in any way.  Each
 * entry of a spool begins at a page.
 *
 * The memory can be lent to a decompressor, whose output fills it from the front.  A member that
 * is contiguous there is kept in place, without a copy, and other members are put into the file.
 */
#ifndef SOURCE_SPOOL_H
#define SOURCE_SPOOL_H

#include "base/keeper.h"
#include "base/str.h"

enum { SPOOL_MEMORY = 32 << 20 }; /* bytes */

struct spool {
	int fd;         /* of the file, or -1 */
	char *memory;   /* holds the bytes as long as there is no file, or is lent */
	bool lent;      /* memory is */
	bool no_memory; /* it is to be a file from the first byte */
	uint64_t end;   /* bytes so far, gaps included */
	uint64_t kept;  /* bytes kept of the lent memory */
	uint64_t max;   /* bound on end and kept, or 0 */
	struct str map; /* all of it, or empty until spool_map */
	const struct keeper *keeper; /* makes the file, or NULL: this process does */
};

/* The directory used, for messages. */
const char *spool_directory(void);

void spool_init(struct spool *sp, uint64_t max, const struct keeper *keeper);

/* A new file without a name, for the keeper.  -1: errno. */
int spool_file(void);

/* The default bound: the memory, and half of the free space of the directory, or 0 if unknown. */
uint64_t spool_default_max(void);

/* Returns the place of the next entry. */
uint64_t spool_begin(struct spool *sp);

/*
 * Writes bytes at `at`.  A gap before them reads as zeros.  Returns -1 with errno set, to EFBIG
 * if that would exceed max.
 */
int spool_put(struct spool *sp, uint64_t at, struct str bytes);

/* Returns the number of bytes that may still be put after `at`. */
uint64_t spool_room(const struct spool *sp, uint64_t at);

/* Returns the memory, zeroed, for others to write to, or NULL if it is in use or missing. */
char *spool_lend(struct spool *sp);
bool spool_is_lent(const struct spool *sp, const char *p);

/* Keeps n bytes of the lent memory.  Returns -1 with errno EFBIG if that would exceed max. */
int spool_keep(struct spool *sp, uint64_t n);

/*
 * Releases bytes that are no longer needed: whole pages of the lent memory read as zeros again.
 */
void spool_give_back(struct spool *sp, struct str bytes);

/* Forgets the content at `at` and after it. */
void spool_drop(struct spool *sp, uint64_t at);

/* Releases the disk blocks of the first n bytes, which must not be read again. */
void spool_punch(struct spool *sp, uint64_t n);

/* Maps all of it, once, after the last byte was put.  Returns -1 with errno set. */
int spool_map(struct spool *sp);

/* Returns n mapped bytes at `at`.  n == 0 does not return NULL. */
struct str spool_bytes(const struct spool *sp, uint64_t at, uint64_t n);

void spool_close(struct spool *sp);

#endif
