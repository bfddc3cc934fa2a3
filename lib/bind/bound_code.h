/*
 * bound_code - the machine code of a function that bind_find named.  Private to bind/ and symbol/.
 */
#ifndef BIND_BOUND_CODE_H
#define BIND_BOUND_CODE_H

#include "bind/bind.h"
#include "image/code/code.h"

struct bound_code {
	struct item *item; /* the file with the code */
	struct code_range
	        /*
	         * the range from the start of the function to the last byte with its name
	         */
	        range;
	uint64_t shift; /* address in range.space minus ip */
};

/* Finds the code of the function at q.  Returns false if no file contains the code. */
bool bound_code_find(const struct binder *b, const struct bind_query *q,
                     const struct bound_name *name, struct bound_code *out);

#endif
