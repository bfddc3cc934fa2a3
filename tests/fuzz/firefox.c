/* Any bytes as a profile of Firefox Profiler. */
#include "reader/firefox/firefox.h"

#include "located.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	located_fuzz(&firefox_format, data, size);
	return 0;
}
