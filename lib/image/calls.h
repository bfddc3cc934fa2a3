/*
 * calls - does a call instruction end here?  A return address shows by it which image
 * it is of; private to image/.
 */
#ifndef IMAGE_CALLS_H
#define IMAGE_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/* end is behind the instruction, of which `have` bytes in front of end may be read. */
bool calls_end_x64(const unsigned char *end, size_t have);
bool calls_end_arm64(const unsigned char *end, size_t have);

#endif
