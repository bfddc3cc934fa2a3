/*
 * ranges - cmocka 2.0 replaces assert_in_range by a macro for each sign.
 */
#ifndef UNIT_RANGES_H
#define UNIT_RANGES_H

#include <cmocka.h>

#ifdef assert_int_in_range
#define assert_within(value, least, most)                                                \
	assert_int_in_range((intmax_t)(value), (intmax_t)(least), (intmax_t)(most))
#else
#define assert_within(value, least, most) assert_in_range(value, least, most)
#endif

#endif
