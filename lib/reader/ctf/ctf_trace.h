/*
 * ctf_trace - finds CTF traces among the members of a source.  Private to reader/ctf/.
 *
 * A trace is a directory with a metadata file and one stream file for each CPU:
 * lttngTrace/SESSION/ust/uid/1000/64-bit/.  Files are recognised by their first bytes (CTF 1.8,
 * sections 4.1 and 7.1).  Packets of streams begin with 0xC1FC1FC1, packets of metadata begin
 * with 0x75D11D57, and metadata in text begins with a comment.
 */
#ifndef READER_CTF_CTF_TRACE_H
#define READER_CTF_CTF_TRACE_H

#include "source/source.h"

bool ctf_trace_is_metadata(struct str head);
bool ctf_trace_is_stream(struct str head);

/*
 * Returns the first member, beginning with `from`, that is the metadata of a trace, or SIZE_MAX.
 */
size_t ctf_trace_next(struct source *s, size_t from);

/* Returns true if `member` is a stream of the trace with that metadata. */
bool ctf_trace_has(struct source *s, size_t metadata, size_t member);

/*
 * Returns the number of packets in a stream's file, which is at least 1.  Sets *out to their
 * offsets, in arena `a`.  Each packet begins with the same 20 bytes: the magic number and the
 * trace's UUID.
 */
size_t ctf_trace_packets(struct str stream, struct arena *a, uint64_t **out);

#endif
