/*
 * pprof - writes stacks as profile.proto, compressed with gzip, for `go tool pprof`, Pyroscope
 * and Parca.
 *
 * A sample is a stack of the fold with all its frames, including the root.  Its labels are the
 * thread and the process.  A location is a source line in a function, with the functions that are
 * inlined there.  It has no address, because folds do not keep addresses.  Values are whole
 * numbers.  The digits of a weight after the decimal point are added to the next weight.  The sum
 * of all values is limited to the greatest number of the format.
 */
#ifndef WRITER_PPROF_H
#define WRITER_PPROF_H

#include "stack/fold.h"
#include "stack/head.h"

/* Writes f.  fold_keep_sites(f) must have been called. */
void pprof_write(struct out *o, const struct fold *f, const struct head *h,
                 struct arena *scratch);

#endif
