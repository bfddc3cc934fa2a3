/*
 * diagnostic - messages to the diagnostic socket of .NET, and its replies.
 *
 * Written after documentation/design-docs/ipc-protocol.md of dotnet/diagnostics.  A connection
 * carries one request.  Unknown commands are refused with an error, so the version of the
 * runtime need not be known.
 */
#ifndef COLLECT_DIAGNOSTIC_H
#define COLLECT_DIAGNOSTIC_H

#include "base/arena.h"

/* The error that a runtime returns for a command that it does not know. */
#define DIAGNOSTIC_UNKNOWN 0x80131385u

enum { DIAGNOSTIC_SESSION = 28 }; /* bytes of a reply that names a session */

struct diagnostic_reply {
	bool done;
	uint32_t error;   /* HRESULT, if done is false */
	uint64_t session; /* number of the trace session, or 0 */
	size_t n;         /* number of bytes of the reply, after which a trace follows */
};

/*
 * Returns the request that switches the perf map (no jitdump) on or off: .NET 8 and
 * later.
 */
struct str diagnostic_perf_map(bool on, struct arena *a);

/*
 * Returns the request for a trace.  A trace ends with a rundown: the names, addresses and
 * lines of all code that is alive.  `newer` selects the request of .NET 5 and later
 * instead of the one of .NET Core 3.
 */
struct str diagnostic_trace(bool newer, struct arena *a);

/*
 * Writes the message that stops the session named in a reply.  Returns the length of the
 * message, or 0 if the reply does not name a session or there is too little room.
 */
size_t diagnostic_stop(char *to, size_t room, struct str reply);

/* Returns false if the bytes do not begin with a whole reply. */
bool diagnostic_read(struct diagnostic_reply *out, struct str bytes);

#endif
