/*
 * tidy_cpp - names of C++ as they are written: std::string for a basic_string of char
 * and its defaults, no defaulted template arguments, no inline namespaces, ">>".
 */
#ifndef LABEL_TIDY_CPP_H
#define LABEL_TIDY_CPP_H

#include "label/tidy.h"

/*
 * s has no argument list (label/signature.h).  Returns false, without output, if s does not
 * change or if its brackets do not match.  Linear in the name's length for each level of nested
 * template arguments, up to a few levels.
 */
bool tidy_cpp(struct tidy *t, struct str s);

#endif
