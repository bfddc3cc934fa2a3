/*
 * named_firefox - profiles of Firefox Profiler with names, for psym.
 *
 * The output is a processed profile of version 70.  Each combination of thread, thread name and
 * event is a thread of the profile.  Everything is written at the end, because the tables precede
 * the threads.  Until then, a sample takes a few bytes.  Source: firefox-devtools/profiler
 * src/types/profile.ts.
 */
#ifndef WRITER_NAMED_FIREFOX_H
#define WRITER_NAMED_FIREFOX_H

#include "writer/named.h"

extern const struct named_format named_firefox;

#endif
