/*
 * beside - the events of a runtime that lie beside a profile, among those of the profile.
 *
 * An archive of perfcollect has a perf.data, and in lttngTrace/ what the .NET runtime said of
 * itself in the same seconds.
 */
#ifndef READER_BESIDE_H
#define READER_BESIDE_H

#include "reader/reader.h"

/*
 * A reader of what `profile` reads, a member of s, and of the runtime's events elsewhere in
 * s, in the order of time; they are asked for by reader_want_events.  It closes profile.
 * Returns profile itself where there are none, or where they cannot be told apart.
 */
struct reader *beside_open(struct source *s, struct reader *profile, struct arena *run,
                           struct diag *diag);

#endif
