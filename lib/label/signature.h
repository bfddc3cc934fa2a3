/*
 * signature - the start of the argument list of a demangled function.
 *
 * Reads names in the spelling of the demanglers of C++, Rust and Go, bracket by bracket. If the
 * brackets of a name do not match, it has no signature and stays whole. Linear in the name's
 * length.
 */
#ifndef LABEL_SIGNATURE_H
#define LABEL_SIGNATURE_H

#include "base/arena.h"

struct signature {
	struct str name;   /* without the last argument list and its qualifiers */
	struct str suffix; /* " [clone .cold]", " (.part.0)", "@plt", or empty */
};

/* Both point into s.  scratch holds the open brackets. */
struct signature signature_cut(struct arena *scratch, struct str s);

#endif
