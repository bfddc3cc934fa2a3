/*
 * pprof - stacks as profile.proto, compressed by gzip, for `go tool pprof`, Pyroscope and Parca.
 *
 * A sample is a stack of the fold with all its frames, including the root.  Its labels are the
 * thread and the process.  A location is a function at a line of its source, with the functions
 * that are inlined there.  It has no address, because folds do not use addresses.  Values are
 * whole numbers.  Fractions are carried to the next stack, and the sum of all saturates at the
 * greatest number of the format.
 */
#ifndef WRITER_PPROF_H
#define WRITER_PPROF_H

#include "base/out.h"
#include "stack/fold.h"
#include "stack/head.h"

/* f keeps sites. */
void pprof_write(struct out *o, const struct fold *f, const struct head *h,
                 struct arena *scratch);

#endif
