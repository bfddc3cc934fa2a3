/*
 * nettrace - the reader of what EventPipe and the recorders that write its format (dotnet-trace, dotnet-monitor)
 * collected: .nettrace, versions 4 to 6, told apart in netfile.c.
 *
 * A file is a row of segments, which sequence points end.  The events of a segment are merged
 * in the order of time; stacks are known within their segment.  Where events of a thread are
 * missing in the file, EV_LOST says how many.  Versions 4 and 5 are of one process and of managed code only: one anonymous
 * mapping stands for all of its memory.  What names code comes mostly last, so the
 * methods are delivered at the end, as EV_CODE.
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

/* Names the program of a process whose events do not; comm lives as long as r. */
void nettrace_name_process(struct reader *r, int32_t pid, struct str comm);

#endif
