/*
 * tidy_cpp - names of C++ as they are written: std::string for a basic_string of char
 * and its defaults, no defaulted template arguments, no inline namespaces, ">>".
 */
#ifndef LABEL_TIDY_CPP_H
#define LABEL_TIDY_CPP_H

#include "label/tidy.h"

/*
 * s has no argument list (label/signature.h).  False, and nothing written: there is
 * nothing to change, or its brackets do not pair up.  Linear in the name's length for
 * each level that template arguments are nested, of which it follows a few.
 */
bool tidy_cpp(struct tidy *t, struct str s);

#endif
