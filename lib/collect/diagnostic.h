/*
 * diagnostic - writes messages to the diagnostic socket of .NET, and reads its replies.
 *
 * Source: documentation/design-docs/ipc-protocol.md of dotnet/diagnostics.  Each request needs a
 * new connection.  The runtime refuses unknown commands with an error, so its version does not
 * matter.
 */
#ifndef COLLECT_DIAGNOSTIC_H
#define COLLECT_DIAGNOSTIC_H

#include "base/arena.h"

/* The error of a runtime for an unknown command. */
#define DIAGNOSTIC_UNKNOWN 0x80131385u

enum { DIAGNOSTIC_SESSION = 28 }; /* size in bytes of a reply with a session id */

struct diagnostic_reply {
	bool done;
	uint32_t error;   /* if `done` is false: the HRESULT of the runtime */
	uint64_t session; /* id of the trace session, or 0 */
	size_t n;         /* size of the reply in bytes.  A trace may follow */
};

/*
 * Returns the request that enables or disables the perf map without a jitdump (.NET 8 and later).
 */
struct str diagnostic_perf_map(bool on, struct arena *a);

/*
 * Returns the request for a trace.  A trace ends with a rundown, which lists names, addresses and
 * lines of all existing code.  If `newer` is set, the request is for .NET 5 and later, otherwise
 * for .NET Core 3.
 */
struct str diagnostic_trace(bool newer, struct arena *a);

/*
 * Writes the message that stops the session whose id is in `reply`.  Returns its length, or 0 if
 * the reply has no session id or if there is too little room.
 */
size_t diagnostic_stop(char *to, size_t room, struct str reply);

/* Returns false if the bytes do not begin with a complete reply. */
bool diagnostic_read(struct diagnostic_reply *out, struct str bytes);

#endif
