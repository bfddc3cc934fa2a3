/*
 * digest - half of a SHA-256, and MD5.  Half of a SHA-256 can identify bytes, because different
 * bytes never have the same digest in practice.
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

enum { DIGEST_MD5 = 16 };

/* The checksum with which crossgen2 signs its maps.  It is not used for security. */
void digest_md5(struct str bytes, unsigned char out[DIGEST_MD5]);

#endif
