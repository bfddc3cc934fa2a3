/*
 * demangle - C++ and Rust names as they are written in the source.
 *
 * Spelled as perf does it: without parameters, without the hash of old Rust names.
 */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include "base/arena.h"

/* name itself when it is not mangled, or would become too long. */
struct str demangle(struct str name, struct arena *a);

#endif
