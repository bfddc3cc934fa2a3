/*
 * calls - checks whether a call instruction ends at an address.
 *
 * A return address follows a call.  If the return addresses of stacks do not follow calls in a
 * file, another build of the file ran.
 */
#ifndef IMAGE_CALLS_H
#define IMAGE_CALLS_H

#include "base/str.h"

/*
 * Returns true if a call ends directly before code[off].  Returns false for unknown machines
 * (EM_*).
 */
bool calls_end(unsigned machine, struct str code, uint64_t off);

#endif
