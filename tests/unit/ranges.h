/*
 * ranges - cmocka 2.0 renames assert_in_range, and marks the old name as deprecated.
 */
#ifndef UNIT_RANGES_H
#define UNIT_RANGES_H

#include <cmocka.h>

#ifndef assert_uint_in_range
#define assert_uint_in_range(value, least, most) assert_in_range(value, least, most)
#endif

#endif
