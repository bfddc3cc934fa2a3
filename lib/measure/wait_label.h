/* wait_label - the reason why a thread waits, by the functions of the kernel on its stack. */
#ifndef MEASURE_WAIT_LABEL_H
#define MEASURE_WAIT_LABEL_H

#include "base/str.h"

/*
 * Returns "[futex]" for futex_wait_queue, or NULL for functions that do not show a reason.  The
 * innermost function of a stack that shows one counts.
 */
const char *wait_label(struct str function);

#endif
