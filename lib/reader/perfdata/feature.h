/*
 * feature - reads one feature section or describing record of a perf.data.  Private to reader/.
 */
#ifndef READER_PERFDATA_FEATURE_H
#define READER_PERFDATA_FEATURE_H

#include "reader/perfdata/header.h"
#include "reader/perfdata/record.h"

/*
 * Reads a section.  `feature` is a value of enum feature.  Returns false if the bytes are
 * inconsistent.  The fields before the inconsistent one are kept.
 */
bool feature_read(struct header *h, unsigned feature, struct str bytes);

/*
 * Reads a describing record of a pipe capture.  Other records are ignored.  Returns false if the
 * record is inconsistent.
 */
bool feature_record(struct header *h, const struct record *r);

#endif
