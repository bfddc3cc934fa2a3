/*
 * nettrace - the reader of EventPipe's .nettrace format, versions 4 to 6, from dotnet-trace,
 * dotnet-monitor and other recorders.
 *
 * A file consists of segments, which end at sequence points.  The events of a segment are merged
 * in the order of time, and stacks are valid within their segment.  If events of a thread are
 * missing in the file, EV_LOST has their number.  Versions 4 and 5 contain one process and only
 * managed code, so one anonymous mapping represents all of its memory.  The data that names code
 * usually comes last, so the methods are delivered at the end, as EV_CODE.
 */
#ifndef READER_NETTRACE_NETTRACE_H
#define READER_NETTRACE_NETTRACE_H

#include "reader/format.h"

extern const struct format nettrace_format;

/*
 * A reader of bytes that hold a nettrace called name, without stacks.  NULL: they do not,
 * reported.
 */
struct reader *nettrace_over(struct str name, struct str bytes, struct arena *run,
                             struct diag *diag);

/* Names the program of a process if its events do not.  comm lives as long as r. */
void nettrace_name_process(struct reader *r, int32_t pid, struct str comm);

#endif
