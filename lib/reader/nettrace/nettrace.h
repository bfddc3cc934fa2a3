/*
 * nettrace - the reader of EventPipe's .nettrace format, versions 4 to 6, from dotnet-trace,
 * dotnet-monitor and other recorders.
 *
 * A file consists of segments, which end at sequence points.  The events of a segment are merged
 * in the order of time.  If events of a thread were lost, EV_LOST has their number.  Versions 4
 * and 5 contain one process and only managed code, so one anonymous mapping represents all of its
 * memory.  The events that name methods are usually at the end of a file, so methods are
 * delivered last, as EV_CODE.
 */
#ifndef READER_NETTRACE_NETTRACE_H
#define READER_NETTRACE_NETTRACE_H

#include "reader/format.h"

extern const struct format nettrace_format;

/*
 * Opens a reader of `bytes`, a nettrace called `name` without stacks.  Returns NULL after a
 * report if they are not a nettrace.
 */
struct reader *nettrace_over(struct str name, struct str bytes, struct arena *run,
                             struct diag *diag);

/* Sets the name of a process.  Events that name the process replace it. */
void nettrace_name_process(struct reader *r, int32_t pid, struct str comm);

#endif
