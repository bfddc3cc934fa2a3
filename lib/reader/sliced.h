/*
 * sliced - lets several processes read one profile.  Each process reads some slices.
 *
 * 	sliced_begin, reader_next ... up to the end, reader_rewind
 * 	fork, then sliced_enter, reader_next ..., sliced_is_odd for some of the slices
 */
#ifndef READER_SLICED_H
#define READER_SLICED_H

#include "reader/reader.h"

/*
 * From now on until reader_rewind, reader_next finds the slices.  least: minimum size of a slice in
 * bytes.  skips: reader_next also skips samples, and does not report damage.  Call this at the
 * first event.  Returns false if the profile cannot be divided in such a pass.
 */
bool sliced_begin(struct reader *r, uint64_t least, bool skips);

/*
 * Returns the number of slices.  Returns 0 if later events show that the profile cannot be
 * divided.
 */
size_t sliced_count(const struct reader *r);

/* Returns the number of samples in all slices, or UINT64_MAX if it is unknown. */
uint64_t sliced_samples(const struct reader *r);

/*
 * Moves to a slice that does not precede the current position.  Returns the number of earlier
 * events that change mappings and names, and that this process has not read yet.  reader_next
 * first returns these events.  It returns 0 at the start of slice `end`.
 */
size_t sliced_enter(struct reader *r, size_t slice, size_t end);

/*
 * Returns true if samples of the current slices are damaged, or depend on later events.  `end` is
 * the slice after the current slices.
 */
bool sliced_is_odd(const struct reader *r, size_t end);

/*
 * Reports the damage before a slice, unless it was reported.  Reports all damage if slice is
 * sliced_count(r).
 */
void sliced_tell(struct reader *r, size_t slice);

#endif
