/*
 * firefox - processed profiles of Firefox Profiler, as samply saves them.
 *
 * The tables of a profile may follow its samples, so the first pass reads the tables and notes
 * where the columns of samples begin.  Then one cell of each column is read for each sample.
 * Versions 56 to 75 are read.  Source: firefox-devtools/profiler src/types/profile.ts,
 * docs-developer/CHANGELOG-formats.md.
 */
#ifndef READER_FIREFOX_FIREFOX_H
#define READER_FIREFOX_FIREFOX_H

#include "reader/format.h"

extern const struct format firefox_format;

#endif
