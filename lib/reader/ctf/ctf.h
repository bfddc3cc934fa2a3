/*
 * ctf - the reader of LTTng traces of a .NET runtime: CTF 1.8, for example perfcollect's
 * lttngTrace/.
 *
 * libbabeltrace2 reads them in workers (ctf_stream.h), which send a nettrace of version 6, and
 * the reader of nettraces uses it.  So the runtime's events have the same names, fields and
 * lost events as in EventPipe, but no stacks.  All traces of a source are read as one.
 */
#ifndef READER_CTF_CTF_H
#define READER_CTF_CTF_H

#include "reader/format.h"

/* Bids on metadata.  Without reader_want_events all events are delivered. */
extern const struct format ctf_format;

/* These are the first bytes of a file of a trace: of metadata, or of a stream. */
bool ctf_is_part(struct str head);

/* Returns the metadata of the first trace in s, or SIZE_MAX. */
size_t ctf_find(struct source *s);

#endif
