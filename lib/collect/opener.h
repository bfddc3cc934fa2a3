/*
 * opener - a child that opens and reads files with the rights of a recorded process.
 *
 * The child has the root directory, the user and the groups of that process and no capability, so
 * the kernel decides which files it reads.  It opens a file with O_PATH, which has no effect on a
 * FIFO or a device, and opens it again for reading only if it is a regular file.  Only bytes come
 * back.  The child may hang for ever in a file system that the recorded process has mounted.
 * Then it is killed or abandoned, and another child reads the next file, until the total wait is
 * too long.
 *
 * If a request needs another object of the process, such as a socket, add a verb for it.
 */
#ifndef COLLECT_OPENER_H
#define COLLECT_OPENER_H

#include <limits.h>

#include "collect/rights.h"

enum {
	OPENER_STALL_MS = 5000,   /* without receiving a byte */
	OPENER_FILE_MS = 30000,   /* waiting for one file */
	OPENER_TOTAL_MS = 120000, /* waiting for all files of a process */
	OPENER_CHILDREN = 4,      /* children that may hang or die */
	OPENER_NAMES = 4096,      /* that OPENER_LIST returns */
};

enum opener_verb {
	OPENER_PATH,  /* a file by its path in the root of the process */
	OPENER_AGAIN, /* the file of an O_PATH descriptor, if the process may open it */
	OPENER_AS_IS, /* an open descriptor, from an offset on */
	OPENER_LIST,  /* names in a directory, each with a NUL at its end */
};

struct opener_request {
	enum opener_verb verb;
	uint64_t offset;     /* of OPENER_AS_IS; if 0, it is read as a stream */
	uint64_t limit;      /* bytes */
	char prefix[256];    /* of OPENER_LIST: how a name begins, */
	char suffix[16];     /* and how it ends */
	char path[PATH_MAX]; /* NUL terminated */
};

enum opener_end {
	OPENER_TAKEN,
	OPENER_ERROR,     /* errno is in error */
	OPENER_IRREGULAR, /* not a regular file, and for OPENER_LIST not a directory */
	OPENER_LARGE,     /* larger than the limit, so it is not read */
	OPENER_GREW,      /* cut at the limit */
	OPENER_SHRANK,    /* ended before the size that it had when opened */
	OPENER_STALLED,   /* did not answer in time */
	OPENER_DIED,      /* the child ended */
	OPENER_NO_RIGHTS, /* the child could not use the rights; errno is in error */
	OPENER_NO_ROOM,   /* the bytes could not be written; errno is in error */
	OPENER_SPENT,     /* not tried, because earlier files took too much time */
};

struct opener_file {
	enum opener_end end;
	int error;
	uint64_t size; /* when it was opened */
	uint64_t n;    /* bytes read */
};

struct opener {
	const struct rights *rights; /* borrowed until opener_stop */
	int root;                    /* O_PATH of the root directory, also borrowed */
	/* private */
	pid_t child; /* 0 if empty */
	int socket;
	struct arena memory;
	struct opener_packet *packet;
	unsigned lost;      /* children that were lost */
	unsigned waited_ms; /* for all files */
};

/*
 * Requests a file and writes its bytes to `to`, which is truncated first.  fd is the descriptor
 * of OPENER_AGAIN and OPENER_AS_IS, else -1.  Starts a child if necessary.
 */
struct opener_file opener_take(struct opener *o, const struct opener_request *what,
                               int fd, int to);

/* Ends the child.  The opener may be used again. */
void opener_stop(struct opener *o);

#endif
