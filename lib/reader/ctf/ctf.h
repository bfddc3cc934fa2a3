/*
 * ctf - the reader of LTTng traces of a .NET runtime: CTF 1.8, for example perfcollect's
 * lttngTrace/.
 *
 * Workers (ctf_stream.h) use libbabeltrace2 to read the traces and send a nettrace of version 6,
 * which the reader of nettraces uses.  The runtime's events thus have the same names, fields and
 * losses as in EventPipe, but no stacks.  All traces of a source are read as one.
 */
#ifndef READER_CTF_CTF_H
#define READER_CTF_CTF_H

#include "reader/format.h"

/* Bids on metadata.  If reader_want_events is not called, all events are delivered. */
extern const struct format ctf_format;

/* Returns true if these are the first bytes of a trace's metadata or stream. */
bool ctf_is_part(struct str head);

/* Returns the index of the first trace's metadata in s, or SIZE_MAX. */
size_t ctf_find(struct source *s);

#endif
