/*
 * named_pprof - profiles of pprof with addresses, mappings and names, for psym.
 *
 * A profile of pprof is written again with names for its unnamed locations.  All other fields keep
 * their bytes, including unknown fields.  For other profiles, each sample becomes a sample with the
 * process and thread as labels.  Callers have the address of the call.
 * Source: google/pprof proto/profile.proto.
 */
#ifndef WRITER_NAMED_PPROF_H
#define WRITER_NAMED_PPROF_H

#include "writer/named.h"

extern const struct named_format named_pprof;

#endif
