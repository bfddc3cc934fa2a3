/*
 * Any bytes as TRACING_DATA and a tracepoint's payload: a 16-bit length, the
 * payload, the rest.  What libtraceevent is given must be harmless.
 */
#include <stdint.h>

#include "reader/tracepoint/tracing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* The library forgets some of what it allocated when a format cannot be parsed. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct out out;
	struct arena run = { 0 };
	struct str rest = { (const char *)data, size }, payload;
	struct tracing *t;
	uint16_t n = 0;

	if (size < 4)
		return 0;
	memcpy(&n, data, 2);
	payload = str_head(str_from(rest, 2), n);
	t = tracing_open(str_from(rest, 2 + payload.n), &run);
	if (t && payload.n >= 2) {
		memcpy(&n, payload.p, 2);
		out.n = 0;
		tracing_name(t, n);
		tracing_text(t, n, 0, payload, &out);
		tracing_text(t, n, 0, str_head(payload, payload.n / 2), &out);
	}
	tracing_close(t);
	arena_release(&run);
	return 0;
}
