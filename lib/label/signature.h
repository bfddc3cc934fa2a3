/*
 * signature - finds the argument list of a demangled function.
 *
 * Scans names from the demanglers of C++, Rust and Go for brackets.  If the brackets of a name do
 * not match, the whole name is kept.  The time is linear in the length of the name.
 */
#ifndef LABEL_SIGNATURE_H
#define LABEL_SIGNATURE_H

#include "base/arena.h"

struct signature {
	struct str name; /* name without the argument list and the qualifiers after it */
	struct str suffix; /* " [clone .cold]", " (.part.0)", "@plt", or empty */
};

/* Splits s.  The results point into s.  `scratch` is used for open brackets. */
struct signature signature_cut(struct arena *scratch, struct str s);

#endif
