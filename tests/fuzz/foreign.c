/*
 * The kind of a file that is not a profile: any bytes have one or none, and the words of one are
 * not empty.
 */
#include <stdint.h>
#include <stdlib.h>

#include "reader/foreign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct foreign *kind =
	        foreign_find((struct str){ (const char *)data, size });

	if (kind && (!kind->what[0] || !kind->advice[0]))
		abort();
	return 0;
}
