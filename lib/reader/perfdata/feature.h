/*
 * feature - reads one feature section or describing record of a perf.data; private to
 * reader/.
 */
#ifndef READER_PERFDATA_FEATURE_H
#define READER_PERFDATA_FEATURE_H

#include "reader/perfdata/header.h"
#include "reader/perfdata/record.h"

/*
 * feature is one of enum feature.  False: its bytes contradict themselves; what was read
 * before that stays.
 */
bool feature_read(struct header *h, unsigned feature, struct str bytes);

/* Reads a describing record of a pipe capture; others are ignored.  False: as above. */
bool feature_record(struct header *h, const struct record *r);

#endif
