/*
 * demangle - C++, Rust, D, OCaml and Java names as they are written in the source.
 *
 * Spelled as perf spells them: without parameters, without the hash of old Rust names.
 */
#ifndef BIND_NATIVE_DEMANGLE_H
#define BIND_NATIVE_DEMANGLE_H

#include "base/table.h"

enum demangling {
	DEMANGLE_SHORT,
	DEMANGLE_PERF, /* the same, but Java's with perf's mistakes */
	DEMANGLE_FULL, /* with parameters */
	DEMANGLE_NOT,
};

/* Returns name itself if it is not mangled, or would become too long, else a name in a. */
struct str demangle(struct str name, enum demangling how, struct arena *a);

/* The names that were demangled already, by the address of the mangled name. */
struct demangled {
	enum demangling how;
	struct table index; /* (address, length) -> index of name + 1 */
	struct str *name;
	size_t n, cap;
};

/* The same, computed once for each name.  Its bytes must stay in place. */
struct str demangle_once(struct demangled *d, struct str name, struct arena *a);

#endif
