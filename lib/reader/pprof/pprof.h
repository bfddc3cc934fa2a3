/*
 * pprof - reads profiles of pprof, written by Go, perf_to_profile, Parca, Pyroscope and others.
 *
 * A profile is one protobuf message without a magic number, usually compressed by gzip.  Samples
 * may precede the tables to which they refer, so the tables are read first.  Source: google/pprof
 * proto/profile.proto.
 */
#ifndef READER_PPROF_PPROF_H
#define READER_PPROF_PPROF_H

#include "reader/format.h"

extern const struct format pprof_format;

#endif
