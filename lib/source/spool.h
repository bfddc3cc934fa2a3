/*
 * spool - where unpacked bytes, and those of a pipe, lie: in 32 MiB of memory, and what
 * outgrows them in one temporary file without a name; private to source/.
 *
 * The file is made in TMPDIR (or /tmp) and is gone when the program ends, however that
 * happens.  What is put into a spool begins on a page.
 *
 * The memory may be lent to a decompressor instead, whose output fills it from the front:
 * a member that lies there in one piece is kept where it is, without a copy, and only
 * others are put in, which then is into the file.
 */
#ifndef SOURCE_SPOOL_H
#define SOURCE_SPOOL_H

#include "base/keeper.h"
#include "base/str.h"

enum { SPOOL_MEMORY = 32 << 20 }; /* bytes */

struct spool {
	int fd;         /* of the file; -1 when there is none */
	char *memory;   /* holds the bytes as long as there is no file, or is lent */
	bool lent;      /* memory is */
	bool no_memory; /* it is to be a file from the first byte */
	uint64_t end;   /* bytes so far, gaps included */
	uint64_t kept;  /* bytes of what is lent */
	uint64_t max;   /* bound on end and kept; 0 is none */
	struct str map; /* all of it; empty until spool_map */
	const struct keeper *keeper; /* makes the file; NULL: this process does */
};

/* The directory used, for messages. */
const char *spool_directory(void);

void spool_init(struct spool *sp, uint64_t max, const struct keeper *keeper);

/* A new file without a name, for the keeper.  -1: errno. */
int spool_file(void);

/* A bound where none is given: memory, and half of what the directory has free; 0: unknown. */
uint64_t spool_default_max(void);

/* Where the next thing begins. */
uint64_t spool_begin(struct spool *sp);

/*
 * Writes bytes at `at`; a gap before them reads as zeros.  -1: errno says why,
 * EFBIG when that would exceed max.
 */
int spool_put(struct spool *sp, uint64_t at, struct str bytes);

/* Bytes that may still be put behind `at`. */
uint64_t spool_room(const struct spool *sp, uint64_t at);

/* The memory, all zero, for others to write to; NULL: there is none, or it is in use. */
char *spool_lend(struct spool *sp);
bool spool_is_lent(const struct spool *sp, const char *p);

/* n bytes of what is lent are kept.  -1: that would exceed max, errno is EFBIG. */
int spool_keep(struct spool *sp, uint64_t n);

/* Bytes that are not needed any more: whole pages of what is lent read as zeros again. */
void spool_give_back(struct spool *sp, struct str bytes);

/* Forgets what was put at `at` and behind it. */
void spool_drop(struct spool *sp, uint64_t at);

/* Gives the disk blocks of the first n bytes back; they must not be read again. */
void spool_punch(struct spool *sp, uint64_t n);

/* Maps all of it, once, when nothing more will be put in.  -1: errno says why. */
int spool_map(struct spool *sp);

/* n bytes at `at`, mapped; n == 0 is not NULL. */
struct str spool_bytes(const struct spool *sp, uint64_t at, uint64_t n);

void spool_close(struct spool *sp);

#endif
