/* digest - half of SHA-256.  It names bytes, because different bytes never have the same. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <nettle/sha2.h>

#include "base/str.h"

struct digest {
	struct sha256_ctx state;
};

void digest_begin(struct digest *d);
void digest_add(struct digest *d, struct str bytes);
void digest_end(struct digest *d, uint64_t out[2]);

#endif
