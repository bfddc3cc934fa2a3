/*
 * speedscope - stacks as the JSON file that https://www.speedscope.app opens.
 *
 * One sampled profile: the frames by name and file of code, the stacks root first, with common
 * callers adjacent, and their weights with the unit.
 */
#ifndef WRITER_SPEEDSCOPE_H
#define WRITER_SPEEDSCOPE_H

#include "base/out.h"
#include "stack/fold.h"
#include "stack/head.h"

/* f keeps sites. */
void speedscope_write(struct out *o, const struct fold *f, const struct head *h,
                      struct arena *scratch);

#endif
