/*
 * named_pprof - writes pprof profiles with addresses, mappings and names, for psym.
 *
 * If the input is a profile of pprof, it is written again with names added to its unnamed
 * locations.  All other fields keep their bytes, including unknown fields.  For other inputs,
 * each sample is written with its process and thread as labels.  The location of a caller has the
 * address of the call.  Source: google/pprof proto/profile.proto.
 */
#ifndef WRITER_NAMED_PPROF_H
#define WRITER_NAMED_PPROF_H

#include "writer/named.h"

extern const struct named_format named_pprof;

#endif
