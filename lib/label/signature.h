/*
 * signature - where the argument list of a demangled function begins.
 *
 * Reads names as the demanglers of C++, Rust and Go write them, bracket by bracket.
 * A name whose brackets do not pair up is nobody's signature and stays whole.
 * Linear in the name's length.
 */
#ifndef LABEL_SIGNATURE_H
#define LABEL_SIGNATURE_H

#include "base/arena.h"

struct signature {
	struct str name;   /* without the last argument list and what qualifies it */
	struct str suffix; /* " [clone .cold]", " (.part.0)", "@plt"; empty when none */
};

/* Both point into s; scratch holds the open brackets. */
struct signature signature_cut(struct arena *scratch, struct str s);

#endif
