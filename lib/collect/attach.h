/*
 * attach - requests to HotSpot through its attach protocol, and the answers.
 *
 * A request consists of five strings: the version of the protocol, a command and three arguments.
 * The answer consists of a decimal result, a newline and a text.  Learned from
 * AttachListener.java and attachListener_posix.cpp of OpenJDK.  All releases so far accept
 * version 1.
 */
#ifndef COLLECT_ATTACH_H
#define COLLECT_ATTACH_H

#include "base/str.h"

/* Returns the request for a perf map of all compiled code (Java 17 and later). */
struct str attach_perf_map(void);

struct attach_reply {
	bool done;
	bool unknown;    /* this release does not support the command */
	struct str text; /* if `done` is false: the first line after the result code */
};

/* Reads an answer.  Returns false if the bytes are not an answer. */
bool attach_read(struct attach_reply *out, struct str bytes);

#endif
