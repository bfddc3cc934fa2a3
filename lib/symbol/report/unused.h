/* unused - reports why given files name no code. */
#ifndef SYMBOL_REPORT_UNUSED_H
#define SYMBOL_REPORT_UNUSED_H

#include "symbol/profile.h"

/*
 * Reports each file that the command line names and that has no report yet.  For directories and
 * archives, reports only rejected files, as details.  Call it after the profile has been read.
 */
void unused_report(const struct profile *p);

#endif
