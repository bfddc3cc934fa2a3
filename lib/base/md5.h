/*
 * md5 - RFC 1321, for what crossgen2 signs its maps with; it guards nothing.
 */
#ifndef BASE_MD5_H
#define BASE_MD5_H

#include "base/arena.h"

enum { MD5_BYTES = 16 };

/* scratch holds a copy of the message. */
void md5(struct str message, struct arena *scratch, unsigned char out[MD5_BYTES]);

#endif
