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
 * The child also talks to a runtime through its socket, and removes files that the runtime wrote
 * for the collector.  The kernel decides about these with the same rights.
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
	OPENER_TALK_MS = 4500,    /* for an answer; less than OPENER_STALL_MS */
	OPENER_TRACE_MS = 20000,  /* for a whole trace */
	OPENER_MESSAGE = 512,
};

enum opener_verb {
	OPENER_PATH,  /* a file by its path in the root of the process */
	OPENER_AGAIN, /* the file of an O_PATH descriptor, if the process may open it */
	OPENER_AS_IS, /* a descriptor that is open already, from an offset on */
	OPENER_LIST,  /* names in a directory, a NUL behind each */
	/* sends a message to a socket, and takes the bytes until the other side closes it */
	OPENER_TALK,
	/* the same; if the answer is a session of .NET, stops it, and takes the bytes of the trace alone */
	OPENER_TRACE,
	OPENER_MAKE,   /* makes an empty file */
	OPENER_REMOVE, /* removes a file */
	OPENER_QUIT,   /* sends SIGQUIT to the process */
};

struct opener_request {
	enum opener_verb verb;
	uint64_t offset;     /* of OPENER_AS_IS; if 0, it is read as a stream */
	uint64_t limit;      /* bytes */
	char prefix[256];    /* of OPENER_LIST: how a name begins, */
	char suffix[16];     /* and how it ends */
	char path[PATH_MAX]; /* NUL terminated */
	/* Of OPENER_TALK and OPENER_TRACE. */
	int32_t pid;       /* that must have made the socket */
	uint32_t nmessage; /* bytes */
	char message[OPENER_MESSAGE];
};

enum opener_end {
	OPENER_TAKEN,
	OPENER_ERROR, /* errno is in error */
	OPENER_IRREGULAR, /* not a regular file, or the directory or the socket that is asked for */
	OPENER_LARGE,     /* larger than the limit; not read */
	OPENER_GREW,      /* cut at the limit */
	OPENER_SHRANK,    /* ended before the size that it had when opened */
	OPENER_STALLED,   /* did not answer in time */
	OPENER_DIED,      /* the child ended */
	OPENER_NO_RIGHTS, /* the child could not use the rights; errno is in error */
	OPENER_NO_ROOM,   /* the bytes could not be written; errno is in error */
	OPENER_SPENT,     /* too much time was lost before; not tried */
	OPENER_FOREIGN,   /* the socket belongs to another process; nothing was sent */
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
 * Asks for a file and writes its bytes to `to`, which is made empty first.  fd is the descriptor
 * of OPENER_AGAIN and OPENER_AS_IS, the directory /proc/PID for OPENER_TALK, OPENER_TRACE
 * and OPENER_QUIT, else -1.  Begins a child if there is none.
 */
struct opener_file opener_take(struct opener *o, const struct opener_request *what,
                               int fd, int to);

/* Ends the child.  The opener may be used again. */
void opener_stop(struct opener *o);

#endif
