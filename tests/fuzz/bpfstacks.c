/* Any bytes as stacks of BCC or bpftrace. */
#include "reader/perftext/bpfstacks.h"
#include "textfuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_text(&bpfstacks_format, data, size);
	return 0;
}
