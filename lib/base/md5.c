#include "base/md5.h"

#include <nettle/md5.h>
#include <nettle/version.h>

void md5(struct str message, unsigned char out[MD5_BYTES])
{
	struct md5_ctx state;

	md5_init(&state);
	md5_update(&state, message.n, (const uint8_t *)message.p);
#if NETTLE_VERSION_MAJOR < 4
	md5_digest(&state, MD5_BYTES, out);
#else
	md5_digest(&state, out);
#endif
}
