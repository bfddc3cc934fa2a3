#include "base/digest.h"

#include <nettle/version.h>

void digest_begin(struct digest *d)
{
	sha256_init(&d->state);
}

void digest_add(struct digest *d, struct str bytes)
{
	sha256_update(&d->state, bytes.n, (const uint8_t *)bytes.p);
}

void digest_end(struct digest *d, uint64_t out[2])
{
	uint8_t sum[SHA256_DIGEST_SIZE];

#if NETTLE_VERSION_MAJOR < 4
	sha256_digest(&d->state, sizeof(sum), sum);
#else
	sha256_digest(&d->state, sum);
#endif
	memcpy(out, sum, 2 * sizeof(*out));
}
