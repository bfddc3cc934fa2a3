/*
 * span - stretches of time, as --time of perf script names them; private to symbol/.
 *
 *	100.5,101        from 100.5 to 101 seconds; either may be left out
 *	1,2 5,6          two of them
 *	10%/2,10%/5      the second and the fifth tenth of the profile's time
 *	0%-10%,90%-100%  its first and its last tenth
 *	10%              its first
 */
#ifndef SYMBOL_TIME_RANGES_H
#define SYMBOL_TIME_RANGES_H

#include "base/str.h"

enum { SPANS = 64 };

struct span {
	uint64_t start, stop; /* ns, both belong to it; stop 0: open */
};

struct spans {
	struct span span[SPANS];
	size_t n;
};

/* What is said in percent needs to know from when to when the profile is. */
bool spans_are_shares(struct str text);

/*
 * first and last are the times of the profile's samples; relative: seconds are counted
 * from first.  False: text is none of the above, or says too many.
 */
bool spans_parse(struct spans *s, struct str text, uint64_t first, uint64_t last,
                 bool relative);

bool spans_hold(const struct spans *s, uint64_t time_ns);

#endif
