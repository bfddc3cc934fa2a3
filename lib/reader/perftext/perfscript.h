/* perfscript - the reader of perf script text, of any version and any set of fields. */
#ifndef READER_PERFTEXT_PERFSCRIPT_H
#define READER_PERFTEXT_PERFSCRIPT_H

#include "reader/format.h"

extern const struct format perfscript_format;

/*
 * Removes whole lines from the front of *head, up to and including the next header of a sample
 * with a time.  Returns false if there is no such header.
 */
bool perfscript_next_start(struct str *head, int32_t *tid, uint64_t *time_ns);

/*
 * perf script prints on standard error why it prints no samples, and such text is often saved
 * instead of samples:
 *
 * 	Samples for 'cpu-clock' event do not have CPU attribute set. Cannot print 'cpu' field.
 * 	failed to open perf.data: No such file or directory  (try 'perf record' first)
 */
bool perfscript_is_error(struct str line);

/* Returns advice on a line that could not be read: "; ..." or "". */
const char *perfscript_advice(struct str line);

#endif
