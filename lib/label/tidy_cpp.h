/*
 * tidy_cpp - writes C++ names as in the source.  Writes std::string for a basic_string of char
 * with default arguments.  Omits default template arguments and inline namespaces, and writes
 * ">>" for "> >".
 */
#ifndef LABEL_TIDY_CPP_H
#define LABEL_TIDY_CPP_H

#include "label/tidy.h"

/*
 * Writes s, which must not have an argument list (label/signature.h).  If s would not change, or
 * if its brackets do not match, returns false without output.  The time is linear in the length
 * of the name for each nesting level of template arguments.
 */
bool tidy_cpp(struct tidy *t, struct str s);

#endif
