#include "base/digest.h"

#include <nettle/md5.h>
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

void digest_md5(struct str bytes, unsigned char out[DIGEST_MD5])
{
	struct md5_ctx state;

	md5_init(&state);
	md5_update(&state, bytes.n, (const uint8_t *)bytes.p);
#if NETTLE_VERSION_MAJOR < 4
	md5_digest(&state, DIGEST_MD5, out);
#else
	md5_digest(&state, out);
#endif
}
