/*
 * ctf_trace - finds CTF traces among the members of a source.  Private to reader/ctf/.
 *
 * A trace is a directory with a metadata file and one stream file for each CPU:
 * lttngTrace/SESSION/ust/uid/1000/64-bit/.  Files are recognised by their first bytes (CTF 1.8,
 * sections 4.1 and 7.1).  A packet of a stream begins with 0xC1FC1FC1, and a packet of metadata
 * with 0x75D11D57.  Plain-text metadata begins with a comment.
 */
#ifndef READER_CTF_CTF_TRACE_H
#define READER_CTF_CTF_TRACE_H

#include "source/source.h"

bool ctf_trace_is_metadata(struct str head);
bool ctf_trace_is_stream(struct str head);

/* Returns the first member at or after `from` that is metadata of a trace, or SIZE_MAX. */
size_t ctf_trace_next(struct source *s, size_t from);

/* Returns true if `member` is a stream of the trace with that metadata. */
bool ctf_trace_has(struct source *s, size_t metadata, size_t member);

/*
 * Returns the number of packets in a stream's file, at least 1.  Sets *out to their offsets, in
 * arena `a`.  All packets begin with the same 20 bytes: magic number and UUID of the trace.
 */
size_t ctf_trace_packets(struct str stream, struct arena *a, uint64_t **out);

#endif
