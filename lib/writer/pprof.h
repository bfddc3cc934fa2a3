/*
 * pprof - stacks as profile.proto, packed by gzip: what `go tool pprof`, Pyroscope and Parca
 * read.
 *
 * A sample is a stack of the fold with all its frames, the root included; its labels are
 * the thread and the process.  A location is a function at a line of its source, with the
 * functions that are inlined there, and has no address: the fold has none.  Values are
 * whole numbers: fractions are carried to the next stack, and the sum of all ends at the
 * greatest number that the format has.
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
