/*
 * spool - bytes that must be mapped: in memory, and when they outgrow 32 MiB in one
 * temporary file without a name.
 *
 * That is made in TMPDIR (or /tmp) and is gone when the program ends, however that
 * happens.  What is put into a spool begins on a page.
 */
#ifndef SOURCE_SPOOL_H
#define SOURCE_SPOOL_H

#include "source/area.h"

struct spool {
	int fd;             /* of the file; -1 when there is none */
	struct area memory; /* what holds the bytes as long as there is none */
	bool no_memory;     /* it is to be a file from the first byte */
	uint64_t end;       /* bytes so far, gaps included */
	uint64_t max;       /* bound on end and elsewhere; 0 is none */
	uint64_t elsewhere; /* bytes that the same bound counts */
	struct str map;     /* all of it; empty until spool_map */
};

/* The directory used, for messages. */
const char *spool_directory(void);

void spool_init(struct spool *sp, uint64_t max);

/* Where the next thing begins. */
uint64_t spool_begin(struct spool *sp);

/*
 * Writes bytes at `at`; a gap before them reads as zeros.  -1: errno says why,
 * EFBIG when that would exceed max.
 */
int spool_put(struct spool *sp, uint64_t at, struct str bytes);

/* Bytes that may still be put behind `at`. */
uint64_t spool_room(const struct spool *sp, uint64_t at);

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
