/*
 * speedscope - writes stacks as a JSON file for https://www.speedscope.app.
 *
 * The file has one sampled profile.  Frames have a name and the file of their code.  Stacks are
 * written root first.  Stacks that begin with the same callers are adjacent.
 */
#ifndef WRITER_SPEEDSCOPE_H
#define WRITER_SPEEDSCOPE_H

#include "stack/fold.h"
#include "stack/head.h"

/* Writes f.  fold_keep_sites(f) must have been called. */
void speedscope_write(struct out *o, const struct fold *f, const struct head *h,
                      struct arena *scratch);

#endif
