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
 * Returns a reader that merges two streams by time: the events of `profile`, which reads a member
 * of s, and the runtime's events that reader_want_events selects, from another member of s.
 * Closing the result also closes `profile`.  If s has no such events, or if several traces fit,
 * returns `profile` itself.
 */
struct reader *beside_open(struct source *s, struct reader *profile, struct arena *run,
                           struct diag *diag);

#endif
