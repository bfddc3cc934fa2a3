/*
 * slices - several processes read one profile, each of them some slices of it.
 *
 *	reader_divide, reader_next ... up to the end, reader_rewind
 *	fork, then reader_enter, reader_next ..., reader_is_odd for some of the slices
 */
#ifndef READER_SLICES_H
#define READER_SLICES_H

#include "reader/reader.h"

/*
 * From now on until reader_rewind, reader_next skips samples, finds the slices, and does not report
 * damage.  least: bytes of a slice.  Call it at the first event.  Returns false if the profile cannot
 * be divided.
 */
bool reader_divide(struct reader *r, uint64_t least);

/* Returns the number of slices.  Returns 0 if later events show that there cannot be slices. */
size_t reader_slices(const struct reader *r);

/*
 * Moves to a slice, which is not before the current place.  reader_next returns 0 at the start of
 * slice `end`.  Returns the number of events that come first.  They are those before the slice that
 * change mappings and names and were not delivered to this process.
 */
size_t reader_enter(struct reader *r, size_t slice, size_t end);

/* Returns true if samples before slice `end`, its end, are damaged, or depend on later events. */
bool reader_is_odd(const struct reader *r, size_t end);

/* Reports the damage before a slice.  Reports all damage if slice is reader_slices(r). */
void reader_tell(struct reader *r, size_t slice);

#endif
