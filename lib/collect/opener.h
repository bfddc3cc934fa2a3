/*
 * opener - a child that opens and reads files with the rights of a recorded process.
 *
 * The child has the root directory, the user and the groups of that process and no
 * capability, so the kernel decides which files it reads.  It opens a file with O_PATH,
 * which has no effect on a FIFO or a device, and opens it again for reading only if it is
 * a regular file.  It returns only bytes.  The child may hang for ever in a file system
 * that the recorded process has mounted.  Then it is killed or abandoned, and another
 * child reads the next file, until the total wait is too long.
 *
 * The child also talks to a runtime through its socket, and removes files that the
 * runtime wrote for the collector.  The kernel checks the same rights there.
 */
#ifndef COLLECT_OPENER_H
#define COLLECT_OPENER_H

#include <limits.h>

#include "collect/rights.h"

enum {
	OPENER_STALL_MS = 5000,   /* longest wait for a packet */
	OPENER_FILE_MS = 30000,   /* longest wait for a file */
	OPENER_TOTAL_MS = 120000, /* longest wait for all files of a process */
	OPENER_CHILDREN = 4,      /* children that may hang or die */
	OPENER_NAMES = 4096,      /* most names that OPENER_LIST returns */
	OPENER_TALK_MS = 4500,    /* longest wait for an answer, below OPENER_STALL_MS */
	OPENER_TRACE_MS = 20000,  /* longest wait for a whole trace */
	OPENER_MESSAGE = 512,
};

enum opener_verb {
	OPENER_PATH,  /* reads a file by its path in the root of the process */
	OPENER_AGAIN, /* reads the file of an O_PATH descriptor, if permitted */
	OPENER_AS_IS, /* reads a descriptor that is open already, from an offset on */
	OPENER_LIST,  /* lists the names in a directory, each with a NUL */
	/* sends a message to a socket, and reads all of the answer */
	OPENER_TALK,
	/*
	 * like OPENER_TALK.  If the answer names a session of .NET, stops the session and
	 * returns its trace alone
	 */
	OPENER_TRACE,
	OPENER_MAKE,   /* makes an empty file */
	OPENER_REMOVE, /* removes a file */
	OPENER_QUIT,   /* sends SIGQUIT to the process */
};

struct opener_request {
	enum opener_verb verb;
	uint64_t offset;  /* for OPENER_AS_IS; if 0, the descriptor is read as a stream */
	uint64_t limit;   /* bytes to read, at most */
	char prefix[256]; /* for OPENER_LIST: names begin with it */
	char suffix[16];  /* for OPENER_LIST: names end with it */
	char path[PATH_MAX]; /* NUL terminated */
	/* For OPENER_TALK and OPENER_TRACE. */
	int32_t pid;       /* the process that must listen at the socket */
	uint32_t nmessage; /* bytes of message */
	char message[OPENER_MESSAGE];
};

enum opener_end {
	OPENER_TAKEN,
	OPENER_ERROR,     /* errno is in error */
	OPENER_IRREGULAR, /* not of the requested kind (file, directory, socket) */
	OPENER_LARGE,     /* larger than the limit; not read */
	OPENER_GREW,      /* cut at the limit */
	OPENER_SHRANK,    /* shorter than its size when it was opened */
	OPENER_STALLED,   /* did not answer in time */
	OPENER_DIED,      /* the child ended */
	OPENER_NO_RIGHTS, /* the child could not use the rights; errno is in error */
	OPENER_NO_ROOM,   /* the bytes could not be written; errno is in error */
	OPENER_SPENT,     /* not tried: too much time or too many children were lost */
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
	int root; /* O_PATH of the root directory; borrowed until opener_stop */
	/* private */
	pid_t child; /* 0 if there is no child */
	int socket;
	struct arena memory;
	struct opener_packet *packet;
	unsigned lost;      /* number of children that were lost */
	unsigned waited_ms; /* time spent waiting for all files */
};

/*
 * Asks for a file and writes its bytes to `to`, which is made empty first.  fd is the descriptor
 * of OPENER_AGAIN and OPENER_AS_IS, the directory /proc/PID for OPENER_TALK, OPENER_TRACE
 * and OPENER_QUIT, and -1 for the others.  Starts a child if necessary.
 */
struct opener_file opener_take(struct opener *o, const struct opener_request *what,
                               int fd, int to);

/* Ends the child.  The opener may be used again. */
void opener_stop(struct opener *o);

#endif
