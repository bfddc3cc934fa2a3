/*
 * stable - removes the parts of a function's name that differ between two builds or runs.
 *
 * These are numbers of lambdas, closures and state machines, tiers of the JIT, hashes of Rust,
 * and suffixes of copies that a compiler makes (".constprop.0").  A mark of pfold ("_[k]") is
 * removed, too.
 */
#ifndef COMPARE_STABLE_H
#define COMPARE_STABLE_H

#include "base/arena.h"

/* Returns the name without the parts that differ between builds.  Allocates it in `a`. */
struct str stable_name(struct str name, struct arena *a);

#endif
