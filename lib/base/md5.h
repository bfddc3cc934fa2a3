/* md5 - the checksum that crossgen2 signs its maps with; it guards nothing. */
#ifndef BASE_MD5_H
#define BASE_MD5_H

#include "base/str.h"

enum { MD5_BYTES = 16 };

void md5(struct str message, unsigned char out[MD5_BYTES]);

#endif
