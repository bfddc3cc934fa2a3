/* hash: chosen numbers and names do not share a hash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hash.h"

enum { KEYS = 4096 };

/* Random hashes have about 3970 different ends of 16 bits. */
static size_t ends_of(const uint64_t hash[KEYS])
{
	static char seen[1 << 16];
	size_t n = 0;

	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < KEYS; i++) {
		n += !seen[hash[i] & 0xffff];
		seen[hash[i] & 0xffff] = 1;
	}
	return n;
}

/* Hashes the pairs (a, b), (a + step_a, b + step_b), ... */
static void check_pairs(uint64_t a, uint64_t step_a, uint64_t b, uint64_t step_b)
{
	uint64_t hash[KEYS];

	for (size_t i = 0; i < KEYS; i++)
		hash[i] = hash_mix(a + i * step_a, b + i * step_b);
	assert_in_range(ends_of(hash), 3000, KEYS);
}

/* These numbers were the constants of hash_mix, which made a factor 0. */
static void a_number_does_not_hide_the_other(void **state)
{
	(void)state;
	check_pairs(0, 1, 0xd6e8feb86659fd93u, 0);
	check_pairs(0, (uint64_t)1 << 32, 0xd6e8feb86659fd93u, 0);
	check_pairs(0x9e3779b97f4a7c15u, 0, 0, 1);
	check_pairs(0, 1 << 12, 0xd6e8feb86659f000u, 0);
}

static void equal_steps_are_spread(void **state)
{
	(void)state;
	check_pairs(0, 1, 0, 0);
	check_pairs(0, 0, 0, 1);
	check_pairs(0x7f0000000000, 16, 0, 0);
	check_pairs(3, 0, 0x7f0000000000, 1 << 12);
	check_pairs(1, 1, 0, 1);
	check_pairs(0, 1 << 12, 0, 1 << 12);
}

/* With these words, which are in the secret of XXH3, the other words did not count. */
static void words_do_not_hide_the_others(void **state)
{
	static const uint64_t word[] = { 0xbe4ba423396cfeb8u, 0xdb979083e96dd4deu };
	uint64_t text[4] = { word[0], 0, word[1], 0 }, hash[KEYS];

	(void)state;
	for (size_t i = 0; i < KEYS; i++) {
		text[1] = text[3] = i;
		hash[i] = hash_str((struct str){ (char *)text, sizeof(text) });
	}
	assert_in_range(ends_of(hash), 3000, KEYS);
}

/* The second word is the one that made a factor of hash_more 0. */
static void a_seed_is_not_hidden(void **state)
{
	uint64_t text[4] = { 0, 0xd6e8feb86659fd93u, 1, 1 }, hash[KEYS];

	(void)state;
	for (size_t i = 0; i < KEYS; i++) {
		text[0] = i;
		hash[i] = hash_more(0x123456789, (struct str){ (char *)text, 32 });
	}
	assert_in_range(ends_of(hash), 3000, KEYS);
}

static void each_byte_counts(void **state)
{
	char text[40] = { 0 };

	(void)state;
	for (size_t n = 1; n <= sizeof(text); n++) {
		uint64_t zeros = hash_str((struct str){ text, n });

		assert_true(hash_str((struct str){ text, n - 1 }) != zeros);
		for (size_t i = 0; i < n; i++) {
			text[i] = 1;
			assert_true(hash_str((struct str){ text, n }) != zeros);
			text[i] = 0;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_does_not_hide_the_other),
		cmocka_unit_test(equal_steps_are_spread),
		cmocka_unit_test(words_do_not_hide_the_others),
		cmocka_unit_test(a_seed_is_not_hidden),
		cmocka_unit_test(each_byte_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
