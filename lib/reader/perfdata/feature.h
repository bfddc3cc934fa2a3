/*
 * feature - reads one feature section or describing record of a perf.data.  Private to reader/.
 */
#ifndef READER_PERFDATA_FEATURE_H
#define READER_PERFDATA_FEATURE_H

#include "reader/perfdata/header.h"
#include "reader/perfdata/record.h"

/*
 * feature is one of enum feature.  Returns false if its bytes are inconsistent.  The fields
 * before that are kept.
 */
bool feature_read(struct header *h, unsigned feature, struct str bytes);

/* Reads a describing record of a pipe capture, and ignores others.  Returns false as above. */
bool feature_record(struct header *h, const struct record *r);

#endif
