#include "base/hash.h"

#include <sys/random.h>
#include <time.h>
#include <xxhash.h>

uint64_t hash_str(struct str s)
{
	return hash_more(hash_key(), s);
}

uint64_t hash_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed))
		return seed;
	return hash_mix((uintptr_t)&seed, (uint64_t)time(NULL));
}

uint64_t hash_seeded(uint64_t seed, struct str s)
{
	return XXH3_64bits_withSeed(s.p, s.n, seed);
}

void hash_secret(const unsigned char secret[HASH_SECRET], struct str s, uint64_t out[2])
{
	XXH128_hash_t h = XXH3_128bits_withSecret(s.p, s.n, secret, HASH_SECRET);

	out[0] = h.low64;
	out[1] = h.high64;
}
