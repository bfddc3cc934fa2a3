/*
 * demangle - C++, Rust, D, OCaml and Java names as they are written in the source.
 *
 * The spelling is perf's: without parameters, and without the hash of old Rust names.
 */
#ifndef BIND_NATIVE_DEMANGLE_H
#define BIND_NATIVE_DEMANGLE_H

#include "base/table.h"

enum demangling {
	DEMANGLE_SHORT,
	DEMANGLE_PERF, /* as DEMANGLE_SHORT, but Java's names with perf's mistakes */
	DEMANGLE_FULL, /* with parameters */
	DEMANGLE_NOT,
};

/* Returns the name in a.  Returns name itself if it is not mangled, or would become too long. */
struct str demangle(struct str name, enum demangling how, struct arena *a);

/* A table of demangled names, by the address of the mangled name. */
struct demangled {
	enum demangling how;
	struct table index; /* (address, length) -> index of name + 1 */
	struct str *name;
	size_t n, cap;
};

/*
 * Demangles a name, but only once for each mangled name.  The bytes of name must stay in place.
 */
struct str demangle_once(struct demangled *d, struct str name, struct arena *a);

#endif
