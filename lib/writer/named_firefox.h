/*
 * named_firefox - profiles of Firefox Profiler with names, for psym.
 *
 * The output is a processed profile of version 70.  Each combination of thread, thread name and
 * event is a thread of the profile.  The file has its tables first, so it is written only after
 * the last sample.  Until then, each sample takes a few bytes of memory.  Source:
 * firefox-devtools/profiler src/types/profile.ts.
 */
#ifndef WRITER_NAMED_FIREFOX_H
#define WRITER_NAMED_FIREFOX_H

#include "writer/named.h"

extern const struct named_format named_firefox;

#endif
