/*
 * array_length - replaces the words that some kernels print for array lengths with numbers.
 * Private to reader/.
 */
#ifndef READER_TRACEPOINT_ARRAY_LENGTH_H
#define READER_TRACEPOINT_ARRAY_LENGTH_H

#include "base/arena.h"

/*
 * Returns the text of a tracepoint format with a number for each array length.  If all lengths
 * are already numbers, returns `format` itself, otherwise a copy in arena `a`.  long_size is the
 * size of a long in the kernel that wrote the format.
 */
struct str array_length_numbers(struct str format, unsigned long_size, struct arena *a);

#endif
