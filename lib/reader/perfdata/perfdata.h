/* perfdata - reads perf.data files and pipes of `perf record`. */
#ifndef READER_PERFDATA_PERFDATA_H
#define READER_PERFDATA_PERFDATA_H

#include "reader/format.h"
#include "source/stream.h"

extern const struct format perfdata_format;

/*
 * Returns true for a file "data.N", which perf record --threads writes in the directory of
 * "data".
 */
bool perfdata_is_part(struct str name, struct str head);

/*
 * Opens a reader of a pipe capture.  The reader owns the stream.  Returns NULL after it has
 * reported an error.
 */
struct reader *perfdata_over(struct stream *stream, struct arena *run, struct diag *diag);

#endif
