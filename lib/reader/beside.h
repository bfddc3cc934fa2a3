/*
 * beside - merges the events of a profile with the events of a runtime from a second file.
 *
 * An archive of perfcollect contains a perf.data.  Its directory lttngTrace/ contains the events
 * of the .NET runtime from the same seconds.
 */
#ifndef READER_BESIDE_H
#define READER_BESIDE_H

#include "reader/reader.h"

/*
 * Returns a reader that merges two streams of events by time: the events of `profile`, which reads a
 * member of s, and the runtime's events in another member of s, which reader_want_events selects.
 * Closing the result closes `profile`.  Returns `profile` itself if there are no such events, or
 * if several traces fit.
 */
struct reader *beside_open(struct source *s, struct reader *profile, struct arena *run,
                           struct diag *diag);

#endif
