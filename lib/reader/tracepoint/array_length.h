/*
 * array_length - replaces array lengths in tracepoint formats by numbers, because some kernels
 * print expressions.  Private to reader/.
 */
#ifndef READER_TRACEPOINT_ARRAY_LENGTH_H
#define READER_TRACEPOINT_ARRAY_LENGTH_H

#include "base/arena.h"

/*
 * Returns the text of a tracepoint format with a number for each array length.  Returns `format`
 * itself if all lengths are numbers.  Otherwise returns a copy in arena `a`.  long_size: size of
 * a long in the kernel that wrote the format.
 */
struct str array_length_numbers(struct str format, unsigned long_size, struct arena *a);

#endif
