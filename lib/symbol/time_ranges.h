/*
 * time_ranges - parts of the profile's time, in the syntax of --time of perf script.  Private to
 * symbol/.
 *
 * 	100.5,101	from 100.5 to 101 seconds, and either can be omitted
 * 	1,2 5,6	  two ranges
 * 	10%/2,10%/5      the second and the fifth tenth of the profile's time
 * 	0%-10%,90%-100%  its first and its last tenth
 * 	10%	      its first
 */
#ifndef SYMBOL_TIME_RANGES_H
#define SYMBOL_TIME_RANGES_H

#include "base/str.h"

enum { TIME_RANGES = 64 };

struct time_range {
	uint64_t start, stop; /* ns, both included.  stop 0: open */
};

struct time_ranges {
	struct time_range range[TIME_RANGES];
	size_t n;
};

/* Percentages need the first and the last time of the profile. */
bool time_ranges_are_shares(struct str text);

/*
 * first and last are the times of the profile's samples.  relative: seconds count from first.
 * Returns false if text has another form, or too many ranges.
 */
bool time_ranges_parse(struct time_ranges *s, struct str text, uint64_t first,
                       uint64_t last, bool relative);

/* Returns true if that time is in a range, or unknown, or if there are no ranges. */
bool time_ranges_hold(const struct time_ranges *s, uint64_t time_ns);

#endif
