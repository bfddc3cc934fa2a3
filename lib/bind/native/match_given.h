/*
 * match_given - finds the module to which a file named by -m belongs, if there is no build-id.
 * Private to bind/.
 *
 * The user chose this file, so its name does not matter.  The file is used for a module if the
 * segments agree, if the return addresses sampled in the module follow calls in the file, and if
 * no other module fits.  The file is reported as not verified.
 */
#ifndef BIND_NATIVE_MATCH_GIVEN_H
#define BIND_NATIVE_MATCH_GIVEN_H

#include "bind/bind.h"

/* Assigns each file named by -m to a module.  If a file is not used, its item gets the reason. */
void match_given(struct binder *b);

#endif
