/*
 * demangle - converts mangled C++, Rust, D, OCaml and Java names to source form.
 *
 * As in perf, parameters and the hash of legacy Rust names are omitted.
 */
#ifndef BIND_NATIVE_DEMANGLE_H
#define BIND_NATIVE_DEMANGLE_H

#include "base/table.h"

enum demangling {
	DEMANGLE_SHORT,
	DEMANGLE_PERF, /* like DEMANGLE_SHORT, but with perf's errors in Java names */
	DEMANGLE_FULL, /* with parameters */
	DEMANGLE_NOT,
};

/*
 * Returns the demangled name in a.  Returns name itself if it is not mangled, or if the result
 * would be too long.
 */
struct str demangle(struct str name, enum demangling how, struct arena *a);

/* A table of demangled names, by the address of the mangled name. */
struct demangled {
	enum demangling how;
	struct table index; /* (address, length) -> index of name + 1 */
	struct str *name;
	size_t n, cap;
};

/* Demangles each mangled name only once.  The bytes of name must stay at their address. */
struct str demangle_once(struct demangled *d, struct str name, struct arena *a);

#endif
