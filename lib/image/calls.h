/*
 * calls - does a call instruction end at an address?  Return addresses follow calls, so a file in
 * which they do not is of another build than the file that ran.
 */
#ifndef IMAGE_CALLS_H
#define IMAGE_CALLS_H

#include "base/str.h"

/* Does a call end right before code[off]?  False for a machine (EM_*) not known here. */
bool calls_end(unsigned machine, struct str code, uint64_t off);

#endif
