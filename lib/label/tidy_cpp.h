/*
 * tidy_cpp - writes C++ names as in the source.  basic_string of char with its defaults becomes
 * std::string.  Defaulted template arguments and inline namespaces are omitted, and "> >" becomes
 * ">>".
 */
#ifndef LABEL_TIDY_CPP_H
#define LABEL_TIDY_CPP_H

#include "label/tidy.h"

/*
 * Writes s, which must not have an argument list (label/signature.h).  Returns false, without
 * output, if s would not change or if its brackets do not match.  The time is linear in the
 * length of the name for each level of nested template arguments, up to a few levels.
 */
bool tidy_cpp(struct tidy *t, struct str s);

#endif
