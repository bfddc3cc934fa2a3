/*
 * ctf_trace - which members of a source are CTF traces; private to reader/ctf/.
 *
 * A trace is a directory of a metadata file and the files of its streams, one for each CPU:
 * lttngTrace/SESSION/ust/uid/1000/64-bit/.  Files are told by their first bytes, CTF 1.8
 * sections 4.1 and 7.1: a stream's packets begin with 0xC1FC1FC1, those of packed metadata
 * with 0x75D11D57, and metadata that is text with its comment.
 */
#ifndef READER_CTF_CTF_TRACE_H
#define READER_CTF_CTF_TRACE_H

#include "source/source.h"

bool ctf_trace_is_metadata(struct str head);
bool ctf_trace_is_stream(struct str head);

/* The first member at `from` or behind it that is a trace's metadata; SIZE_MAX: none. */
size_t ctf_trace_next(struct source *s, size_t from);

/* Is that member a stream of the trace whose metadata is that other one? */
bool ctf_trace_has(struct source *s, size_t metadata, size_t member);

/*
 * Where the packets of a stream's file begin, at *out, in a; returns how many there are, at
 * least one.  Packets begin with the same 20 bytes: the magic and the trace's UUID.
 */
size_t ctf_trace_packets(struct str stream, struct arena *a, uint64_t **out);

#endif
