/* Any text as profiles of OpenTelemetry in JSON. */
#include "reader/otlp/otlp_json.h"

#include "located.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	located_fuzz(&otlp_json_format, data, size);
	return 0;
}
