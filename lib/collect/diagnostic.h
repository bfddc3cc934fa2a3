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

/* The error with which a runtime refuses a command that it does not know. */
#define DIAGNOSTIC_UNKNOWN 0x80131385u

enum { DIAGNOSTIC_SESSION = 28 }; /* bytes of a reply that names a session */

struct diagnostic_reply {
	bool done;
	uint32_t error;   /* HRESULT if it is not done */
	uint64_t session; /* of a trace, or 0 */
	size_t n;         /* bytes of the reply; a trace follows */
};

/* Requests the perf map without jitdump (.NET 8 and later), or its end. */
struct str diagnostic_perf_map(bool on, struct arena *a);

/*
 * Requests a trace with a rundown at its end: the names, addresses and lines of all code that is alive.
 * newer: with the request of .NET 5 and later, else with that of .NET Core 3.
 */
struct str diagnostic_trace(bool newer, struct arena *a);

/*
 * Writes the message that stops the session which a reply names, and returns its bytes.  0: the
 * reply names no session, or the message does not fit.
 */
size_t diagnostic_stop(char *to, size_t room, struct str reply);

/* False if the bytes do not begin with a whole reply. */
bool diagnostic_read(struct diagnostic_reply *out, struct str bytes);

#endif
