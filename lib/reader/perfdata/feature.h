/*
 * feature - reads a feature section, or a record that describes the recording in a pipe: the
 * machine, its registers, CPUs and build-ids.  Private to reader/.
 */
#ifndef READER_PERFDATA_FEATURE_H
#define READER_PERFDATA_FEATURE_H

#include "reader/perfdata/header.h"
#include "reader/perfdata/record.h"

/*
 * Reads a section.  `feature` is an enum feature.  Returns false if the bytes are inconsistent,
 * but keeps the fields that precede the inconsistency.
 */
bool feature_read(struct header *h, unsigned feature, struct str bytes);

/*
 * Reads a record that describes the recording.  Ignores other records.  Returns false if the
 * record is inconsistent.
 */
bool feature_record(struct header *h, const struct record *r);

#endif
