/*
 * nettrace - reads EventPipe's .nettrace format, versions 4 to 6, from dotnet-trace,
 * dotnet-monitor and other recorders.
 *
 * A file consists of segments, which end at sequence points.  The events of a segment are merged
 * by time.  If events of a thread were lost, an EV_LOST contains their number.  Versions 4 and 5
 * contain one process with only managed code, so one anonymous mapping represents its whole
 * memory.  Methods are delivered last, as EV_CODE, because the events that name them are usually
 * at the end of a file.
 */
#ifndef READER_NETTRACE_NETTRACE_H
#define READER_NETTRACE_NETTRACE_H

#include "reader/format.h"

extern const struct format nettrace_format;

/*
 * Opens a reader of `bytes`, a nettrace without stacks.  `name` is used in messages.  If the
 * bytes are not a nettrace, reports this and returns NULL.
 */
struct reader *nettrace_over(struct str name, struct str bytes, struct arena *run,
                             struct diag *diag);

/*
 * Sets the name of a process.  If an event names the process, the name in the event has priority.
 */
void nettrace_name_process(struct reader *r, int32_t pid, struct str comm);

#endif
