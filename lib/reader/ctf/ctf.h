/*
 * ctf - reads LTTng traces of a .NET runtime (CTF 1.8), for example perfcollect's lttngTrace/.
 *
 * Workers (ctf_stream.h) use libbabeltrace2 to convert the traces to a nettrace of version 6.
 * The reader of nettraces reads the result.  Therefore the runtime's events have the same names
 * and fields as in EventPipe, and losses are reported in the same way.  The events have no
 * stacks.  All traces of a source are read together.
 */
#ifndef READER_CTF_CTF_H
#define READER_CTF_CTF_H

#include "reader/format.h"

/*
 * `bid` recognises a metadata file.  Unless reader_want_events is called, all events are
 * delivered.
 */
extern const struct format ctf_format;

/* Returns true if `head` is the start of a trace's metadata or stream. */
bool ctf_is_part(struct str head);

/* Returns the index of the first metadata file in s, or SIZE_MAX. */
size_t ctf_find(struct source *s);

#endif
