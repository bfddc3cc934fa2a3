/* md5 - the checksum with which crossgen2 signs its maps.  It is not used for security. */
#ifndef BASE_MD5_H
#define BASE_MD5_H

#include "base/str.h"

enum { MD5_BYTES = 16 };

void md5(struct str message, unsigned char out[MD5_BYTES]);

#endif
