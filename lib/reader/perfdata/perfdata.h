/* perfdata - the reader of perf.data, as `perf record` writes it to a file or to a pipe. */
#ifndef READER_PERFDATA_PERFDATA_H
#define READER_PERFDATA_PERFDATA_H

#include "reader/format.h"
#include "source/stream.h"

extern const struct format perfdata_format;

/* Returns true for the files "data.N" that perf record --threads writes beside "data". */
bool perfdata_is_part(struct str name, struct str head);

/* Opens a reader of a pipe capture.  The reader owns the stream.  Returns NULL after a report. */
struct reader *perfdata_over(struct stream *stream, struct arena *run, struct diag *diag);

#endif
