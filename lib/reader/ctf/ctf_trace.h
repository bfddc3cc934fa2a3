/*
 * ctf_trace - finds CTF traces among the members of a source.  Private to reader/ctf/.
 *
 * A trace is a directory with a metadata file and the files of its streams, one for each CPU:
 * lttngTrace/SESSION/ust/uid/1000/64-bit/.  Files are recognised by their first bytes, CTF 1.8
 * sections 4.1 and 7.1: packets of streams begin with 0xC1FC1FC1, packets of metadata with
 * 0x75D11D57, and metadata in text with its comment.
 */
#ifndef READER_CTF_CTF_TRACE_H
#define READER_CTF_CTF_TRACE_H

#include "source/source.h"

bool ctf_trace_is_metadata(struct str head);
bool ctf_trace_is_stream(struct str head);

/* Returns the first member from `from` on that is a trace's metadata, or SIZE_MAX. */
size_t ctf_trace_next(struct source *s, size_t from);

/* Returns true if that member is a stream of the trace with that metadata. */
bool ctf_trace_has(struct source *s, size_t metadata, size_t member);

/*
 * Sets *out to the offsets of the packets in a stream's file, in a, and returns their number, at
 * least one.  Packets begin with the same 20 bytes: the magic and the trace's UUID.
 */
size_t ctf_trace_packets(struct str stream, struct arena *a, uint64_t **out);

#endif
