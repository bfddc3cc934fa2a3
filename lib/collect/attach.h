/*
 * attach - requests to HotSpot through its attach protocol, and the answers.
 *
 * A request is five strings: the version of the protocol, a command and three arguments.  The
 * answer is a decimal result, a line end and a text.  Learned from AttachListener.java and
 * attachListener_posix.cpp of OpenJDK.  Version 1 is accepted by all releases up to now.
 */
#ifndef COLLECT_ATTACH_H
#define COLLECT_ATTACH_H

#include "base/str.h"

/* Returns the request for a perf map of all compiled code (Java 17 and later). */
struct str attach_perf_map(void);

struct attach_reply {
	bool done;
	bool unknown;    /* the release does not know the command */
	struct str text; /* first line of the text, if done is false */
};

/* Returns false if the bytes are not an answer. */
bool attach_read(struct attach_reply *out, struct str bytes);

#endif
