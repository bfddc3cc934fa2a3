/*
 * beside - merges the events of a profile with the events of a runtime from a second file.
 *
 * An archive of perfcollect contains a perf.data.  Its directory lttngTrace/ contains events of
 * the .NET runtime that were recorded at the same time.
 */
#ifndef READER_BESIDE_H
#define READER_BESIDE_H

#include "reader/reader.h"

/*
 * Returns a reader that merges the events of `profile` with runtime events by time.  Both inputs
 * are members of s.  reader_want_events selects the runtime events.  Closing the result also
 * closes `profile`.  If s has no runtime events, or if several traces fit, returns `profile`
 * itself.
 */
struct reader *beside_open(struct source *s, struct reader *profile, struct arena *run,
                           struct diag *diag);

#endif
