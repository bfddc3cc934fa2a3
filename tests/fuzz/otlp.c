/* Any bytes as profiles of OpenTelemetry, in one message or several. */
#include "reader/otlp/otlp.h"

#include "located.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	located_fuzz(&otlp_format, data, size);
	return 0;
}
