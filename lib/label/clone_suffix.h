/*
 * clone_suffix - the suffixes that GCC and Clang add to the names of copies of a function, as in
 * "parse.constprop.0", "parse.part.3.cold", "parse.llvm.123".
 */
#ifndef LABEL_CLONE_SUFFIX_H
#define LABEL_CLONE_SUFFIX_H

#include "base/str.h"

/* Returns true if such a suffix begins at s, which is the part of a name after a dot. */
bool clone_suffix_begins(struct str s);

/* Removes all such suffixes with their numbers: "foo.part.0.cold" -> "foo". */
struct str clone_suffix_removed(struct str name);

#endif
