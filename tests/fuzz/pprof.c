/* Any bytes as a profile of pprof. */
#include "reader/pprof/pprof.h"

#include "located.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	located_fuzz(&pprof_format, data, size);
	return 0;
}
