/* Any bytes as perf script text. */
#include "reader/perftext/perfscript.h"
#include "textfuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_text(&perfscript_format, data, size);
	return 0;
}
