/*
 * beside - merges the events of a runtime from a second file with the events of the profile.
 *
 * An archive of perfcollect has a perf.data, and in lttngTrace/ the events of the .NET runtime
 * from the same seconds.
 */
#ifndef READER_BESIDE_H
#define READER_BESIDE_H

#include "reader/reader.h"

/*
 * Returns a reader of `profile`, a member of s, merged by time with the runtime's events
 * elsewhere in s, which reader_want_events selects.  It closes profile. Returns profile itself if
 * there are no such events, or if several traces fit.
 */
struct reader *beside_open(struct source *s, struct reader *profile, struct arena *run,
                           struct diag *diag);

#endif
