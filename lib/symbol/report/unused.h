/*
 * unused - says of files that were given why they name nothing.
 */
#ifndef SYMBOL_REPORT_UNUSED_H
#define SYMBOL_REPORT_UNUSED_H

#include "symbol/profile.h"

/*
 * Each file that was named by itself and has no line yet; of directories and archives only
 * those that were refused, as details.  Once the profile has been read.
 */
void unused_report(const struct profile *p);

#endif
