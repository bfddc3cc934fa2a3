/*
 * match_given - finds the module of a file that -m names itself, if there is no build-id.
 * Private to bind/.
 *
 * The user means this file, whatever its name is.  It is used for a module if this is the only
 * one with the same segments and with sampled return addresses that follow calls in the file.
 * The build of the file is reported as not verified.
 */
#ifndef BIND_NATIVE_MATCH_GIVEN_H
#define BIND_NATIVE_MATCH_GIVEN_H

#include "bind/bind.h"

/* Assigns each file that -m names to a module, or stores in its item why it is not used. */
void match_given(struct binder *b);

#endif
