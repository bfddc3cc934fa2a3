/*
 * ctf - the reader of what LTTng recorded of a .NET runtime: CTF 1.8 traces, perfcollect's
 * lttngTrace/ among them.
 *
 * libbabeltrace2 reads them, in workers (ctf_stream.h); what they send is a nettrace of
 * version 6, which the reader of nettraces delivers.  So the runtime's events have the names,
 * fields and lost events that those of EventPipe have, but no stacks.  All traces of a source
 * are read as one.
 */
#ifndef READER_CTF_CTF_H
#define READER_CTF_CTF_H

#include "reader/format.h"

/*
 * Bids on metadata.  Without reader_want_events all events are delivered.
 */
extern const struct format ctf_format;

/* These are the first bytes of a file of a trace: of metadata, or of a stream. */
bool ctf_is_part(struct str head);

/* The metadata of the first trace in s; SIZE_MAX: there is none. */
size_t ctf_find(struct source *s);

#endif
