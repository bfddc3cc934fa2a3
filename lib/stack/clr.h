/*
 * clr - one spelling for the names of .NET methods.
 *
 * A perf map, a jitdump, a crossgen map and an r2rmap spell one method in two ways;
 * what they agree on is `Ns.Type`1[Args]::Method`, and that is the label.
 */
#ifndef STACK_CLR_H
#define STACK_CLR_H

#include "base/arena.h"

/*
 * s without the tier the runtime compiled it at, "[OptimizedTier1]".  jit: s is
 * known to be from the runtime, so that a tier needs no argument list before it.
 */
struct str clr_without_tier(struct str s, bool jit);

/*
 * The label of a .NET method or stub.  managed: it stands in a .dll or in code made
 * at run time; elsewhere only names that state their assembly are taken.  False:
 * s is no such name.
 */
bool clr_label(struct arena *a, struct str s, bool managed, struct str *out);

#endif
