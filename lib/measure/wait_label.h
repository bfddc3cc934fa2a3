/* wait_label - what a thread waits for, by the functions of the kernel on its stack. */
#ifndef MEASURE_WAIT_LABEL_H
#define MEASURE_WAIT_LABEL_H

#include "base/str.h"

/*
 * "[futex]" of futex_wait_queue; NULL: the function tells nothing.  Of a stack the
 * innermost function that tells something counts.
 */
const char *wait_label(struct str function);

#endif
