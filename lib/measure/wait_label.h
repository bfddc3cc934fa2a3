/* wait_label - finds the reason why a thread waits, from the kernel functions on its stack. */
#ifndef MEASURE_WAIT_LABEL_H
#define MEASURE_WAIT_LABEL_H

#include "base/str.h"

/*
 * Returns "[futex]" for futex_wait_queue, or NULL if the function does not show a reason.  Call
 * it for each function, innermost first, up to the first result.
 */
const char *wait_label(struct str function);

#endif
