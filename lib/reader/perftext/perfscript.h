/* perfscript - reads the text of perf script, of any version and with any set of fields. */
#ifndef READER_PERFTEXT_PERFSCRIPT_H
#define READER_PERFTEXT_PERFSCRIPT_H

#include "reader/format.h"

extern const struct format perfscript_format;

/*
 * Moves *head to the first line after the next header with a time.  Sets *tid and *time_ns of
 * this header.  Returns false if there is no such header.
 */
bool perfscript_next_start(struct str *head, int32_t *tid, uint64_t *time_ns);

/*
 * Returns true if the line is an error message of perf script, such as:
 *
 * 	Samples for 'cpu-clock' event do not have CPU attribute set.  Cannot print 'cpu' field.
 * 	failed to open perf.data: No such file or directory  (try 'perf record' first)
 */
bool perfscript_is_error(struct str line);

/* Returns advice for an error message: "; ..." or "". */
const char *perfscript_advice(struct str line);

#endif
