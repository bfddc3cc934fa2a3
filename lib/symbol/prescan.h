/*
 * prescan - reads the profile before the first frame is named, to bind maps, images and recorded
 * texts to processes.  Private to symbol/.
 */
#ifndef SYMBOL_PRESCAN_H
#define SYMBOL_PRESCAN_H

#include "symbol/profile_private.h"

/* Reads the profile in all its passes, and goes back to the first event. */
void prescan_run(struct profile *p);

/*
 * Functions for profiles that several processes read (reader/sliced.h).  prescan_skip finds
 * slices of at least `least` bytes, and returns false if there is only one slice.  If
 * prescan_divides returns true, prescan_part notes the frames of the slices that the reader has
 * entered, and prescan_run makes no pass if part.noted is set.  If part.least is set, the pass of
 * prescan_run also finds the slices, and then sets part.noted.
 */
bool prescan_skip(struct profile *p, uint64_t least);
bool prescan_divides(struct profile *p);
void prescan_part(struct profile *p);

/* Range of the times of the noted samples.  Both are 0 if samples have no times. */
struct prescan_times {
	uint64_t first_ns, last_ns;
};
const struct prescan_times *prescan_times(const struct profile *p);
void prescan_add_times(struct profile *p, const struct prescan_times *times);

#endif
