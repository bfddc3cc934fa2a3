/*
 * feature - one piece of a perf.data header, from a section or a record; private
 * to reader/.
 */
#ifndef READER_PERFDATA_FEATURE_H
#define READER_PERFDATA_FEATURE_H

#include "reader/perfdata/header.h"
#include "reader/perfdata/record.h"

/*
 * HEADER_* of tools/perf/util/header.h.  False: its bytes contradict themselves;
 * what was read before that stays.
 */
bool feature_read(struct header *h, unsigned feature, struct str bytes);

/* A record of a pipe capture that describes; others are ignored.  As above. */
bool feature_record(struct header *h, const struct record *r);

#endif
