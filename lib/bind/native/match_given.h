/*
 * match_given - which module a file is of that -m names itself, where no build-id says it;
 * private to bind/.
 *
 * A file that -m names by itself is meant, whatever it is called.  It is taken for the only
 * module that its segments fit and whose sampled return addresses follow calls in it.
 * Nothing says which build ran, so this is reported as unverified.
 */
#ifndef BIND_NATIVE_MATCH_GIVEN_H
#define BIND_NATIVE_MATCH_GIVEN_H

#include "bind/bind.h"

/* Decides for each file that -m names, or says in its item why it is not taken. */
void match_given(struct binder *b);

#endif
