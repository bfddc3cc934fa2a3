/*
 * opener - a child that opens and reads files with the rights of a recorded process.
 *
 * The child has the root directory, the user and the groups of that process, and no capabilities,
 * so the kernel decides which files it may read.  It first opens a file with O_PATH, which has no
 * effect on FIFOs and devices.  It opens the file for reading only if it is regular.  It returns
 * only bytes.  The child may hang forever in a file system that the recorded process has mounted.
 * It is then killed or abandoned, and another child reads the next file, until the total wait is
 * too long.
 *
 * The child also sends requests to a runtime's socket, and removes files that the runtime wrote
 * for the collector.  The rights of the recorded process apply.
 */
#ifndef COLLECT_OPENER_H
#define COLLECT_OPENER_H

#include <limits.h>

#include "collect/rights.h"

enum {
	OPENER_STALL_MS = 5000,   /* maximum wait for a packet */
	OPENER_FILE_MS = 30000,   /* maximum wait for a file */
	OPENER_TOTAL_MS = 120000, /* maximum wait for all files of a process */
	OPENER_CHILDREN = 4,      /* maximum number of children that may hang or die */
	OPENER_NAMES = 4096,      /* maximum number of names from OPENER_LIST */
	OPENER_TALK_MS = 4500, /* maximum wait for an answer, less than OPENER_STALL_MS */
	OPENER_TRACE_MS = 20000, /* maximum wait for a whole trace */
	OPENER_MESSAGE = 512,
};

enum opener_verb {
	OPENER_PATH,  /* read a file by its path in the root directory of the process */
	OPENER_AGAIN, /* read the file of an O_PATH descriptor, if permitted */
	OPENER_AS_IS, /* read an open descriptor from an offset on */
	OPENER_LIST,  /* list the names in a directory, each with a final NUL */
	/* send a message to a socket, and read the whole answer */
	OPENER_TALK,
	/*
	 * like OPENER_TALK.  If the answer contains a session id of .NET, stop the
	 * session and return only its trace
	 */
	OPENER_TRACE,
	OPENER_MAKE,   /* create an empty file */
	OPENER_REMOVE, /* remove a file */
	OPENER_QUIT,   /* send SIGQUIT to the process */
};

struct opener_request {
	enum opener_verb verb;
	/* OPENER_AS_IS: offset of the first byte, or 0 to read the descriptor as a stream */
	uint64_t offset;
	uint64_t limit;      /* maximum number of bytes to read */
	char prefix[256];    /* OPENER_LIST: lists only names with this prefix */
	char suffix[16];     /* OPENER_LIST: lists only names with this suffix */
	char path[PATH_MAX]; /* with a final NUL */
	/* For OPENER_TALK and OPENER_TRACE. */
	int32_t pid;       /* the process that must be listening at the socket */
	uint32_t nmessage; /* length of message in bytes */
	char message[OPENER_MESSAGE];
};

enum opener_end {
	OPENER_TAKEN,
	OPENER_ERROR, /* error contains errno */
	/* the object is not of the requested kind (file, directory, socket) */
	OPENER_IRREGULAR,
	OPENER_LARGE,     /* the file exceeds the limit and was not read */
	OPENER_GREW,      /* the result is truncated at the limit */
	OPENER_SHRANK,    /* the file is shorter than when it was opened */
	OPENER_STALLED,   /* there was no answer in time */
	OPENER_DIED,      /* the child ended */
	OPENER_NO_RIGHTS, /* the child could not get the rights.  error contains errno */
	OPENER_NO_ROOM,   /* the bytes could not be written.  error contains errno */
	/* not tried, because too much time or too many children were lost */
	OPENER_SPENT,
	OPENER_FOREIGN, /* the socket belongs to another process.  Nothing was sent */
};

struct opener_file {
	enum opener_end end;
	int error;
	uint64_t size; /* size when the file was opened */
	uint64_t n;    /* number of bytes read */
};

struct opener {
	const struct rights *rights; /* must be valid until opener_stop */
	int root; /* O_PATH descriptor of the root directory, valid until opener_stop */
	/* private */
	pid_t child; /* 0 if there is no child */
	int socket;
	struct arena memory;
	struct opener_packet *packet;
	unsigned lost;      /* number of children that were lost */
	unsigned waited_ms; /* total time spent waiting */
};

/*
 * Requests a file, and writes its content to `to`, which is truncated first.  fd is the
 * descriptor to read for OPENER_AGAIN and OPENER_AS_IS, the directory /proc/PID for OPENER_TALK,
 * OPENER_TRACE and OPENER_QUIT, and otherwise -1.  Starts a child if necessary.
 */
struct opener_file opener_take(struct opener *o, const struct opener_request *what,
                               int fd, int to);

/* Ends the child.  The opener can be reused. */
void opener_stop(struct opener *o);

#endif
