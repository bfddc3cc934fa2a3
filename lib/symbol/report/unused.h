/* unused - reports why given files named no code. */
#ifndef SYMBOL_REPORT_UNUSED_H
#define SYMBOL_REPORT_UNUSED_H

#include "symbol/profile.h"

/*
 * Reports each file of the command line that was not used and not reported yet.  For directories
 * and archives, reports only the rejected files, with -v.  Call it after the profile was read.
 */
void unused_report(const struct profile *p);

#endif
