/*
 * time_ranges - parses time ranges in the syntax of perf script --time.  Private to symbol/.
 *
 * 	100.5,101               from 100.5 to 101 seconds.  Either may be omitted
 * 	1,2 5,6                 two ranges
 * 	10%/2,10%/5             the second and the fifth tenth of the profile's time
 * 	0%-10%,90%-100%         the first and the last tenth
 * 	10%                     the first tenth
 */
#ifndef SYMBOL_TIME_RANGES_H
#define SYMBOL_TIME_RANGES_H

#include "base/str.h"

enum { TIME_RANGES = 64 };

struct time_range {
	/* in ns, both inclusive.  If stop is 0, the range has no end */
	uint64_t start, stop;
};

struct time_ranges {
	struct time_range range[TIME_RANGES];
	size_t n;
};

/* Returns true for percentages.  They require the first and the last time of the profile. */
bool time_ranges_are_shares(struct str text);

/*
 * Parses text.  first and last are the times of the profile's first and last sample.  If
 * `relative` is set, seconds count from first.  Returns false if the syntax is wrong or if there
 * are too many ranges.
 */
bool time_ranges_parse(struct time_ranges *s, struct str text, uint64_t first,
                       uint64_t last, bool relative);

/*
 * Returns true if a range contains the time.  Also returns true if the time is unknown (0) or if
 * there are no ranges.
 */
bool time_ranges_hold(const struct time_ranges *s, uint64_t time_ns);

#endif
