/*
 * named_pprof - writes pprof profiles with addresses, mappings and names, for psym.
 *
 * If the input is a pprof profile, it is copied, and unnamed locations get names.  All other
 * fields, including unknown ones, keep their bytes.  For other inputs, each sample becomes a
 * pprof sample with process and thread as labels.  The address of a caller is the address of the
 * call. Source: google/pprof proto/profile.proto.
 */
#ifndef WRITER_NAMED_PPROF_H
#define WRITER_NAMED_PPROF_H

#include "writer/named.h"

extern const struct named_format named_pprof;

#endif
