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

#include "base/out.h"
#include "symbol/profile.h"

struct named_pprof;

/* Begins a profile.  opts.lines of p must be set.  arena must outlive the result. */
struct named_pprof *named_pprof_begin(struct profile *p, struct out *o,
                                      struct arena *arena);

/* Adds a sample of p, the current one. */
void named_pprof_sample(struct named_pprof *w, const struct sample *s);

/* Writes the rest, after the last sample of p. */
void named_pprof_end(struct named_pprof *w);

#endif
