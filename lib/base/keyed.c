#include "base/keyed.h"

#include <sys/random.h>
#include <time.h>

#include "base/hash.h"

enum { STEP = 32, LANE = 16 };

void keyed_init(struct keyed *k)
{
	if (getrandom(k->key, sizeof(k->key), GRND_NONBLOCK) != sizeof(k->key))
		for (size_t i = 0; i < 4; i++)
			k->key[i] = hash_mix((uintptr_t)k + i, (uint64_t)time(NULL));
}

/* Two lanes that do not wait for each other. */
uint64_t keyed_hash(const struct keyed *k, struct str s)
{
	const uint64_t *key = k->key;
	uint64_t a = key[0], b = key[1];
	char tail[STEP] = { 0 };
	const char *p = s.p;
	size_t n = s.n;

	for (; n >= STEP; p += STEP, n -= STEP) {
		a = keyed_mix(hash_load(p) ^ key[2] ^ a, hash_load(p + 8) ^ key[3]);
		b = keyed_mix(hash_load(p + LANE) ^ key[3] ^ b,
		              hash_load(p + LANE + 8) ^ key[2]);
	}
	if (n)
		memcpy(tail, p, n);
	a = keyed_mix(hash_load(tail) ^ key[2] ^ a, hash_load(tail + 8) ^ key[3]);
	b = keyed_mix(hash_load(tail + LANE) ^ key[3] ^ b,
	              hash_load(tail + LANE + 8) ^ key[2]);
	return keyed_mix(a ^ key[1], b ^ key[0]);
}
