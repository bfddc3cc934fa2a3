/*
 * digest - half of a SHA-256.  It can identify bytes, because different bytes never have the same
 * digest in practice.
 */
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
