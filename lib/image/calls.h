/*
 * calls - does a call instruction end at an address?
 *
 * Return addresses follow calls.  If the return addresses of a stack do not follow calls
 * in a file, the program ran another build of that file.
 */
#ifndef IMAGE_CALLS_H
#define IMAGE_CALLS_H

#include "base/str.h"

/*
 * Returns true if a call ends right before code[off].  Returns false for unknown machines
 * (EM_*).
 */
bool calls_end(unsigned machine, struct str code, uint64_t off);

#endif
